import { Link } from 'wouter';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { ScheduledTag } from '../../schedule/schedule.tsx';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { CardTable, Heads, NumberHead } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { SelectAllCell, SelectCell } from '../../ui/select-cells.tsx';
import type { useSelection } from '../../ui/use-selection.ts';
import { SoldOutCell } from './sold-out-cell.tsx';
import { menuTexts } from './texts.ts';
import { useCategories } from './use-categories.ts';

interface Props {
  readonly products: readonly MenuProduct[];
  /** Absent for members who may only change the availability. */
  readonly selection?: ReturnType<typeof useSelection>;
}

export function ProductTable({ products, selection }: Props) {
  const t = useCatalogue(menuTexts);
  const { maySee } = useCategories();
  return (
    <CardTable
      label={t.products}
      className="menu-products"
      heads={
        <>
          {selection && <SelectAllCell selection={selection} />}
          <Heads texts={[t.product, t.soldout]} />
          {maySee && <Heads texts={[t.category]} />}
          <NumberHead text={t.price} />
          <Heads texts={[t.status]} />
        </>
      }
    >
      {products.map((product) => (
        <ProductRow key={product.id} product={product} selection={selection} />
      ))}
    </CardTable>
  );
}

function ProductRow({ product, selection }: Omit<Props, 'products'> & { readonly product: MenuProduct }) {
  const t = useCatalogue(menuTexts);
  const name = useLocalized()(product.name) || product.slug;
  const { maySee, nameOf } = useCategories();
  return (
    <tr>
      {selection && <SelectCell selection={selection} id={product.id} name={name} />}
      <th scope="row">
        {selection ? (
          <Link href={`/menu/products/${encodeURIComponent(product.id)}`} dir="auto">
            {name}
          </Link>
        ) : (
          <span dir="auto">{name}</span>
        )}
      </th>
      <Cell label={t.soldout} className="menu-out">
        <SoldOutCell product={product} />
      </Cell>
      {maySee && (
        <Cell className="menu-of" dir="auto">
          {nameOf(product.categoryId)}
        </Cell>
      )}
      <Cell className="number menu-price">
        <Prices options={product.priceOptions} />
      </Cell>
      <Cell className="menu-state">
        <span className={`tag ${product.published ? 'good' : 'warns'}`}>
          {product.published ? t.published : t.unpublished}
        </span>{' '}
        <ScheduledTag of={product} />
      </Cell>
    </tr>
  );
}

function Prices({ options }: { readonly options: MenuProduct['priceOptions'] }) {
  const locale = useFormatLocale();
  const { currency } = useProfile().workspace;
  const amounts = options.map(({ price }) => price);
  if (amounts.length === 0) return '–';
  const money = currency === null ? {} : { style: 'currency' as const, currency };
  const format = new Intl.NumberFormat(locale, { ...money, trailingZeroDisplay: 'stripIfInteger' });
  const low = Math.min(...amounts);
  const high = Math.max(...amounts);
  return low === high ? format.format(low) : format.formatRange(low, high);
}
