import { Switch } from 'react-aria-components/Switch';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { client } from '../../data/client.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { usePatch } from '../../history/use-patch.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { isSoldOut, type SoldOut, type UntilChoice, untilChoices, untilOf } from './sold-out.ts';
import { menuTexts } from './texts.ts';

/** A button that sets or clears sold out. Afterwards the member can choose its end. */
export function SoldOutCell({ product }: { readonly product: MenuProduct }) {
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
