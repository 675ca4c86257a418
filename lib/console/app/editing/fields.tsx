import type { ReactNode } from 'react';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { Field } from '../ui/field.tsx';
import { Options } from '../ui/options.tsx';
import { useField } from './editor-context.tsx';

interface Props {
  /** The path of the value in the record: `slug`, `priceOptions.0.price`. */
  readonly path: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

interface OptionalProps {
  /** An empty value is left out of the record. */
  readonly isOptional?: boolean;
}

interface TextProps extends Props, OptionalProps {
  readonly isLong?: boolean;
  /** Keys, URLs and numbers read from left to right in every language. */
  readonly direction?: 'auto' | 'ltr';
  /** The stored value of an empty text. @default '' */
  readonly empty?: null | '';
  readonly type?: 'text' | 'email' | 'url' | 'tel';
}

export function TextInput({
  path,
  label,
  hint,
  isLong,
  direction = 'auto',
  empty = '',
  type = 'text',
  isOptional,
}: TextProps) {
  const { value, isStored, set, error } = useField(path);
  const text = typeof value === 'string' ? value : '';
  const shared = {
    // What the member types stays as it is.
    value: type === 'email' && isStored ? shownEmail(text) : text,
    dir: direction,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      set(target.value === '' ? (isOptional ? undefined : empty) : target.value),
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) =>
        isLong ? <textarea rows={4} {...attributes} {...shared} /> : <input type={type} {...attributes} {...shared} />
      }
    </Field>
  );
}

interface NumberProps extends Props, OptionalProps {
  readonly min?: number;
  readonly step?: number | 'any';
}

/** A number, or null when it is empty. */
export function NumberInput({ path, label, hint, min, step = 'any', isOptional }: NumberProps) {
  const { value, set, error } = useField(path);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          type="number"
          inputMode="decimal"
          dir="ltr"
          min={min}
          step={step}
          {...attributes}
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => set(target.value === '' ? (isOptional ? undefined : null) : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

interface SelectProps extends Props, OptionalProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The label of the choice that stores null. @default - there is no such choice */
  readonly none?: string;
}

export function SelectInput({ path, label, hint, options, none, isOptional }: SelectProps) {
  const { value, set, error } = useField(path);
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select
          {...attributes}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => set(target.value === '' ? (isOptional ? undefined : null) : target.value)}
        >
          {(none !== undefined || !isKnown) && <option value="">{none ?? ''}</option>}
          <Options of={options} />
        </select>
      )}
    </Field>
  );
}

export function CheckInput({ path, label }: Omit<Props, 'hint'>) {
  const { value, set, error } = useField(path);
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={value === true}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ target }) => set(target.checked)}
        />
        <span>{label}</span>
      </label>
      {error !== undefined && <p className="error">{error}</p>}
    </div>
  );
}
