import { Link } from 'wouter';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { client } from '../../data/client.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useMay } from '../../data/session-context.tsx';
import { DeletedLink } from '../../history/deleted.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { ListBody } from '../../ui/list-body.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from './bulk-bar.tsx';
import { MenuTabs } from './menu-tabs.tsx';
import { ProductTable } from './product-table.tsx';
import { menuTexts } from './texts.ts';
import { useCategories } from './use-categories.ts';

const filters = ['q', 'categoryId', 'published', 'soldout'] as const;

/** The products, with search, filters, a sold-out switch, and bulk changes. */
export function Products() {
  const t = useCatalogue(menuTexts);
  const shared = useTexts();
  const [search] = useSearch();
  const mayManage = useMay('menu:product:manage');
  const query = Object.fromEntries(filters.map((name) => [name, search.get(name) ?? undefined]));
  const list = useRecordList<MenuProduct>('menu-products', client.manage.menuProducts, { limit: 50, ...query });
  const selection = useSelection(list.rows.map(({ id }) => id));
  const isFiltered = filters.some((name) => search.has(name));
  return (
    <>
      <header className="screen-head">
        <h1>{shared.menu}</h1>
        {mayManage && (
          <div className="actions">
            <DeletedLink to="/menu/deleted" />
            <Link href="/menu/products/new" className="button primary">
              <PlusIcon />
              {t.newProduct}
            </Link>
          </div>
        )}
      </header>
      <MenuTabs />
      <Filters />
      {mayManage && selection.ids.length > 0 && <BulkBar ids={selection.ids} done={selection.clear} />}
      <ListBody list={list} isFiltered={isFiltered}>
        <ProductTable products={list.rows} {...(mayManage && { selection })} />
      </ListBody>
    </>
  );
}

function Filters() {
  const t = useCatalogue(menuTexts);
  const [search, setSearch] = useSearch();
  const { options } = useCategories();
  const yesOrNo = (yes: string, no: string) => [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  return (
    <div className="toolbar">
      <SearchBox value={search.get('q') ?? ''} onSearch={(q) => setSearch({ q })} label={t.searchProducts} />
      {options.length > 0 && (
        <ChoiceFilter name="categoryId" label={t.category} any={t.allCategories} options={options} />
      )}
      <ChoiceFilter name="published" label={t.status} any={t.anyStatus} options={yesOrNo(t.published, t.unpublished)} />
      <ChoiceFilter
        name="soldout"
        label={t.availability}
        any={t.anyAvailability}
        options={yesOrNo(t.soldout, t.available)}
      />
    </div>
  );
}
