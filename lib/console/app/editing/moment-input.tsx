import { useState } from 'react';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { Field } from '../ui/field.tsx';
import { useField } from './editor-context.tsx';
import { localTime, storedTime } from './moments.ts';
import { editingTexts } from './texts.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  /** @default the time zone, of a time */
  readonly hint?: string;
  readonly type: 'date' | 'datetime-local';
}

/** An input for a day, or for a day and time in the browser's time zone. */
export function MomentInput({ path, label, hint, type }: Props) {
  const t = useCatalogue(editingTexts);
  const { value, set, error } = useField(path);
  const isDay = type === 'date';
  const [zone] = useState(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <Field label={label} hint={hint ?? (isDay ? undefined : fill(t.timeZone, { zone }))} error={error}>
      {(attributes) => (
        <input
          type={type}
          dir="ltr"
          {...attributes}
          value={isDay ? String(value ?? '') : localTime(value)}
          onChange={({ target }) => set(isDay ? target.value || null : storedTime(target.value))}
        />
      )}
    </Field>
  );
}
