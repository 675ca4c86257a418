import { dayOf, daysAhead, endOfDay } from '../../data/days.ts';
import { useField } from '../../editing/editor-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { accessTexts } from './texts.ts';

const usual = [30, 90, 365];

/** An input for the last day of a key. */
export function ExpiryInput() {
  const t = useCatalogue(accessTexts);
  // Arabic has six forms of a counted noun.
  const inDays = new Intl.NumberFormat(useFormatLocale(), { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const { value, set, error } = useField('expiresAt');
  return (
    <div className="stack">
      <Field label={t.expiry} hint={t.expiryHint} error={error}>
        {(attributes) => (
          <input
            type="date"
            dir="ltr"
            {...attributes}
            value={dayOf(value)}
            onChange={({ target }) => set(endOfDay(target.value))}
          />
        )}
      </Field>
      <div className="row">
        {usual.map((days) => (
          <button key={days} type="button" className="button small" onClick={() => set(daysAhead(days, Date.now()))}>
            {fill(t.inDays, { time: inDays.format(days) })}
          </button>
        ))}
        {typeof value === 'string' && (
          <button type="button" className="button small quiet" onClick={() => set(null)}>
            {t.noExpiry}
          </button>
        )}
      </div>
    </div>
  );
}
