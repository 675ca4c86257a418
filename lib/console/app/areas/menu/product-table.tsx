import { Switch } from 'react-aria-components/Switch';
import { Link } from 'wouter';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { client } from '../../data/client.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { usePatch } from '../../history/use-patch.ts';
import { ScheduledTag } from '../../schedule/schedule.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { CardTable, Heads, NumberHead } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { Options } from '../../ui/options.tsx';
import { SelectAllCell, SelectCell } from '../../ui/select-cells.tsx';
import type { useSelection } from '../../ui/use-selection.ts';
import { isSoldOut, type SoldOut, type UntilChoice, untilChoices, untilOf } from './sold-out.ts';
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

/** A button that sets or clears sold out. Afterwards the member can choose its end. */
function SoldOutCell({ product }: { readonly product: MenuProduct }) {
  const t = useCatalogue(menuTexts);
  const locale = useFormatLocale();
  const name = useLocalized()(product.name) || product.slug;
  const { mutate, isPending, variables } = usePatch('menu-products', client.manage.menuProducts);
  const shown: SoldOut = isPending ? { ...product, soldoutUntil: null, ...variables.patch } : product;
  const isOut = isSoldOut(shown, Date.now());
  // Kitchen staff may change the availability, and restore no version.
  const former = { soldout: product.soldout, soldoutUntil: product.soldoutUntil };
  const change = (patch: Partial<SoldOut>, text: string) =>
    mutate({ id: product.id, patch, former, text: fill(text, { name }) });
  const labels = { changed: t.untilChanged, hour: t.untilHour, today: t.untilToday, tomorrow: t.untilTomorrow };
  const until = shown.soldoutUntil;
  const time = until === null ? '' : shortTime(new Date(until), locale);
  return (
    <div className="menu-soldout">
      <Switch
        className="switch warns"
        aria-label={fill(t.soldoutOf, { name })}
        isSelected={isOut}
        onChange={(soldout) => change({ soldout, soldoutUntil: null }, soldout ? t.nowSoldout : t.nowAvailable)}
      >
        <span className="track" />
      </Switch>
      {isOut && (
        <select
          aria-label={fill(t.soldoutUntilOf, { name })}
          value={until === null ? 'changed' : 'set'}
          onChange={({ target: { value } }) =>
            change({ soldoutUntil: untilOf(value as UntilChoice, new Date()) }, t.nowSoldout)
          }
        >
          {until !== null && <option value="set">{fill(t.untilOther, { time })}</option>}
          <Options of={untilChoices.map((choice) => ({ value: choice, label: labels[choice] }))} />
        </select>
      )}
    </div>
  );
}

/** On the same day only the time, because the cell is small. */
function shortTime(moment: Date, locale: string): string {
  if (moment.toDateString() === new Date().toDateString())
    return moment.toLocaleTimeString(locale, { timeStyle: 'short' });
  return moment.toLocaleString(locale, { month: 'numeric', day: 'numeric', hour: 'numeric', minute: '2-digit' });
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
