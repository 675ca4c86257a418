import { Link } from 'wouter';
import type { MenuCategory } from '#lib/domain/menu/menu-records.ts';
import { client } from '../../data/client.ts';
import { languagesMissing } from '../../data/localized.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { DeletedLink } from '../../history/deleted.tsx';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { CardTable, Heads, NumberHead } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { ListScreen } from '../../ui/list-screen.tsx';
import { MenuTabs } from './menu-tabs.tsx';
import { menuTexts } from './texts.ts';

/** The categories of the menu. */
export function Categories() {
  const t = useCatalogue(menuTexts);
  const shared = useTexts();
  const [search] = useSearch();
  const q = search.get('q') ?? undefined;
  const list = useRecordList<MenuCategory>('menu-categories', client.manage.menuCategories, { limit: 50, q });
  return (
    <ListScreen
      title={shared.menu}
      add={{ to: '/menu/categories/new', label: t.newCategory }}
      tools={<DeletedLink to="/menu/deleted?kind=menu-categories" />}
      tabs={<MenuTabs />}
      searchLabel={t.searchCategories}
      list={list}
    >
      <CategoryTable categories={list.rows} />
    </ListScreen>
  );
}

function CategoryTable({ categories }: { readonly categories: readonly MenuCategory[] }) {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  const { languages } = useProfile().workspace;
  return (
    <CardTable
      label={t.categories}
      heads={
        <>
          <Heads texts={[t.name, t.slug]} />
          <NumberHead text={t.position} />
        </>
      }
    >
      {categories.map(({ id, name, slug, position }) => {
        const missing = languagesMissing(name, languages);
        return (
          <tr key={id}>
            <th scope="row">
              <Link href={`/menu/categories/${encodeURIComponent(id)}`} dir="auto">
                {localized(name) || slug}
              </Link>{' '}
              {missing.length > 0 && (
                <span className="tag warns">{fill(t.missing, { languages: missing.join(', ') })}</span>
              )}
            </th>
            <Cell label={t.slug} dir="auto">
              {slug}
            </Cell>
            <Cell label={t.position} className="number">
              {position ?? '–'}
            </Cell>
          </tr>
        );
      })}
    </CardTable>
  );
}
