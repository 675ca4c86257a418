import { useState } from 'react';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { Field } from '../ui/field.tsx';
import { useField } from './editor-context.tsx';
import { browserZone, localTime, storedTime } from './moments.ts';
import { editingTexts } from './texts.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  /** @default the time zone, of a time */
  readonly hint?: string;
  readonly type: 'date' | 'datetime-local';
  /** @default that of the browser */
  readonly zone?: string;
}

/** An input for a day, or for a day and time in a time zone. */
export function MomentInput({ path, label, hint, type, zone: given }: Props) {
  const t = useCatalogue(editingTexts);
  const { value, set, error } = useField(path);
  const isDay = type === 'date';
  const [own] = useState(browserZone);
  const zone = given ?? own;
  return (
    <Field label={label} hint={hint ?? (isDay ? undefined : fill(t.timeZone, { zone }))} error={error}>
      {(attributes) => (
        <input
          type={type}
          dir="ltr"
          {...attributes}
          value={isDay ? String(value ?? '') : localTime(value, zone)}
          onChange={({ target }) => set(isDay ? target.value || null : storedTime(target.value, zone))}
        />
      )}
    </Field>
  );
}
