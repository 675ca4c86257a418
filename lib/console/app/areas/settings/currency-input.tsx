import { useId, useMemo } from 'react';
import { useField } from '../../editing/editor-context.tsx';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { listedCurrencies } from './currencies.ts';
import { settingsTexts } from './texts.ts';

/** The currency of the prices. Members type its code, or choose it by its name. */
export function CurrencyInput({ path }: { readonly path: string }) {
  const t = useCatalogue(settingsTexts);
  const locale = useFormatLocale();
  const list = useId();
  const { value, set, error } = useField(path);
  const currencies = useMemo(() => listedCurrencies(locale), [locale]);
  const name = currencies.find(({ code }) => code === value)?.name;
  return (
    <Field label={t.currency} hint={name ?? t.currencyHint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            dir="ltr"
            list={list}
            autoComplete="off"
            value={typeof value === 'string' ? value : ''}
            onChange={({ target }) => set(target.value === '' ? null : target.value.toUpperCase())}
          />
          <datalist id={list}>
            <Options of={currencies.map(({ code, name }) => ({ value: code, label: name }))} />
          </datalist>
        </>
      )}
    </Field>
  );
}
