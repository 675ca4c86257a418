import { useMutation } from '@tanstack/react-query';
import { Switch } from 'react-aria-components/Switch';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { client } from '../../data/client.ts';
import { useRefresh } from '../../data/records.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useUndo } from '../../history/use-undo.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { isSoldOut, type SoldOut, type UntilChoice, untilChoices, untilOf } from './sold-out.ts';
import { menuTexts } from './texts.ts';

/** A button that sets or clears sold out. Afterwards the member can choose its end. */
export function SoldOutCell({ product }: { readonly product: MenuProduct }) {
  const t = useCatalogue(menuTexts);
  const locale = useFormatLocale();
  const toast = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  const name = useLocalized()(product.name) || product.slug;
  const change = useMutation({
    mutationFn: (patch: Partial<SoldOut>) => client.manage.menuProducts.update(product.id, patch),
    onSuccess: ({ etag }, { soldout }) => {
      if (soldout === undefined) return;
      // Kitchen staff may change the availability, and restore no version.
      const before = { soldout: product.soldout, soldoutUntil: product.soldoutUntil };
      const action = undo.button(async () => {
        await client.manage.menuProducts.update(product.id, before, { ifMatch: etag });
        await refresh('menu-products');
        return undefined;
      });
      toast({ text: fill(soldout ? t.nowSoldout : t.nowAvailable, { name }), action });
    },
    onError: useFailureToast(),
    // The new state is shown until the list is reread. A refused change is reset immediately.
    onSettled: (_, error) => {
      const reading = refresh('menu-products');
      return error ? undefined : reading;
    },
  });
  const shown: SoldOut = change.isPending ? { ...product, soldoutUntil: null, ...change.variables } : product;
  const isOut = isSoldOut(shown, Date.now());
  const labels = { changed: t.untilChanged, hour: t.untilHour, today: t.untilToday, tomorrow: t.untilTomorrow };
  const until = shown.soldoutUntil;
  const time = until === null ? '' : shortTime(new Date(until), locale);
  return (
    <div className="menu-soldout">
      <Switch
        className="switch warns"
        aria-label={fill(t.soldoutOf, { name })}
        isSelected={isOut}
        onChange={(soldout) => change.mutate({ soldout, soldoutUntil: null })}
      >
        <span className="track" />
      </Switch>
      {isOut && (
        <select
          aria-label={fill(t.soldoutUntilOf, { name })}
          value={until === null ? 'changed' : 'set'}
          onChange={({ target }) => change.mutate({ soldoutUntil: untilOf(target.value as UntilChoice, new Date()) })}
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
