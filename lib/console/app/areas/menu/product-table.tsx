import { Link } from 'wouter';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { TableRegion } from '../../ui/table-region.tsx';
import { SoldOutCell } from './sold-out-cell.tsx';
import { menuTexts } from './texts.ts';
import { useCategories } from './use-categories.ts';

interface Props {
  readonly products: readonly MenuProduct[];
  /** Absent for members who may only say what is sold out. */
  readonly selected?: ReadonlySet<string>;
  readonly select?: (ids: ReadonlySet<string>) => void;
}

export function ProductTable({ products, selected, select }: Props) {
  const t = useCatalogue(menuTexts);
  const shared = useTexts();
  const isAll = selected !== undefined && products.every(({ id }) => selected.has(id));
  return (
    <TableRegion label={t.products}>
      <table>
        <thead>
          <tr>
            {select && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label={shared.selectAll}
                  checked={isAll}
                  onChange={() => select(new Set(isAll ? [] : products.map(({ id }) => id)))}
                />
              </th>
            )}
            <th scope="col">{t.product}</th>
            <th scope="col">{t.soldout}</th>
            <th scope="col">{t.category}</th>
            <th scope="col" className="number">
              {t.price}
            </th>
            <th scope="col">{t.status}</th>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow key={product.id} product={product} {...{ selected, select }} />
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}

function ProductRow({ product, selected, select }: Omit<Props, 'products'> & { readonly product: MenuProduct }) {
  const t = useCatalogue(menuTexts);
  const name = useLocalized()(product.name) || product.slug;
  const { nameOf } = useCategories();
  const toggle = () => {
    const next = new Set(selected);
    if (!next.delete(product.id)) next.add(product.id);
    select?.(next);
  };
  return (
    <tr>
      {select && (
        <td>
          <input
            type="checkbox"
            aria-label={fill(t.select, { name })}
            checked={selected?.has(product.id) ?? false}
            onChange={toggle}
          />
        </td>
      )}
      <th scope="row">
        {select ? (
          <Link href={`/menu/products/${encodeURIComponent(product.id)}`} dir="auto">
            {name}
          </Link>
        ) : (
          <span dir="auto">{name}</span>
        )}
      </th>
      <td>
        <SoldOutCell product={product} />
      </td>
      <td dir="auto">{nameOf(product.categoryId)}</td>
      <td className="number">
        <Prices options={product.priceOptions} />
      </td>
      <td>
        <span className={`tag ${product.published ? 'good' : 'warns'}`}>
          {product.published ? t.published : t.unpublished}
        </span>
      </td>
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
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return low === high ? format.format(low) : format.formatRange(low, high);
}
