import { type FormEvent, useState } from 'react';
import type { Field as ModelField } from '#lib/domain/cms/cms-model.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { type Condition, conditionsOf, type EntryFilter, needsValue } from './entry-filters.ts';
import { FilterValue } from './filter-value.tsx';
import { contentTexts } from './texts.ts';

interface Props {
  /** The filterable fields; at least one. */
  readonly fields: readonly ModelField[];
  readonly add: (filter: EntryFilter) => void;
  readonly close: () => void;
}

/** Adds a filter: a field, a condition and a value. */
export function FilterDialog({ fields, add, close }: Props) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const [key, setKey] = useState(fields[0]?.key ?? '');
  const [chosen, setChosen] = useState<Condition>();
  const [value, setValue] = useState('');
  const field = fields.find((candidate) => candidate.key === key);
  if (!field) return null;
  const conditions = conditionsOf(field.type);
  const condition = conditions.find((offered) => offered === chosen) ?? conditions[0] ?? 'eq';
  const isComplete = !needsValue(condition) || value.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) add({ key, condition, value });
  };
  return (
    <Dialog title={t.addFilter} isOpen close={close}>
      <form className="stack" onSubmit={submit}>
        <Field label={t.filterField}>
          {(attributes) => (
            <select
              {...attributes}
              value={key}
              onChange={({ target }) => {
                setKey(target.value);
                setValue('');
              }}
            >
              <Options of={fields.map(({ key, name }) => ({ value: key, label: localized(name) || key }))} />
            </select>
          )}
        </Field>
        <Field label={t.filterCondition}>
          {(attributes) => (
            <select {...attributes} value={condition} onChange={({ target }) => setChosen(target.value as Condition)}>
              <Options of={conditions.map((offered) => ({ value: offered, label: t[offered] }))} />
            </select>
          )}
        </Field>
        {needsValue(condition) && <FilterValue key={key} field={field} value={value} set={setValue} />}
        <div className="actions">
          <button type="button" className="button" onClick={close}>
            {shared.cancel}
          </button>
          <button type="submit" className="button primary" disabled={!isComplete}>
            {t.applyFilter}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
