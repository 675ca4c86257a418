import { useState } from 'react';
import type { Field as ModelField } from '#lib/domain/cms/cms-model.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { localTime, storedTime } from '../../editing/moments.ts';
import { TargetPicker } from '../../relations/target-picker.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { useFilterText } from './filter-text.ts';
import { useTargetSource } from './targets.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly field: ModelField;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The input for the value that a field is compared with. */
export function FilterValue({ field, value, set }: Props) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const { type } = field;
  if (type === 'relation') return <RelatedValue field={field} value={value} set={set} />;
  const choices =
    type === 'boolean'
      ? [
          { value: 'true', label: shared.yes },
          { value: 'false', label: shared.no },
        ]
      : field.options?.map(({ value, label }) => ({ value, label: localized(label) || value }));
  return (
    <Field label={t.filterValue}>
      {(attributes) =>
        choices ? (
          <select {...attributes} value={value} onChange={({ target }) => set(target.value)}>
            <option value="">{t.unset}</option>
            <Options of={choices} />
          </select>
        ) : type === 'datetime' ? (
          <input
            type="datetime-local"
            dir="ltr"
            {...attributes}
            value={localTime(value)}
            onChange={({ target }) => set(storedTime(target.value) ?? '')}
          />
        ) : (
          <input
            type={type === 'number' || type === 'date' ? type : 'text'}
            {...(type === 'number' && { step: 'any', inputMode: 'decimal' })}
            dir={type === 'text' ? 'auto' : 'ltr'}
            {...attributes}
            value={value}
            onChange={({ target }) => set(target.value)}
          />
        )
      }
    </Field>
  );
}

/** Chooses a record by its name. */
function RelatedValue({ field, value, set }: Props) {
  const t = useCatalogue(contentTexts);
  const [isOpen, setOpen] = useState(false);
  const source = useTargetSource(field.relation?.to ?? '');
  const name = useFilterText(field, value);
  return (
    <>
      <Field label={t.filterValue}>
        {(attributes) => (
          <button type="button" className="button" {...attributes} aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {value === '' ? t.unset : name}
          </button>
        )}
      </Field>
      {isOpen && (
        <TargetPicker
          source={source}
          many={false}
          label={t.filterValue}
          ids={value === '' ? [] : [value]}
          choose={([id = '']) => set(id)}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
