import { useId } from 'react';
import type { FormField, FormFieldType } from '#lib/domain/forms/form-field.ts';
import { textIn } from '../../data/localized.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { formsTexts } from './texts.ts';

const inputTypes: Readonly<Partial<Record<FormFieldType, string>>> = {
  EMAIL: 'email',
  PHONE: 'tel',
  URL: 'url',
  NUMBER: 'number',
  RATING: 'number',
  FILE: 'file',
  DATE: 'date',
  TIME: 'time',
  DATETIME: 'datetime-local',
};

interface Props {
  readonly field: FormField;
  readonly language: string;
}

/** One question as on a web page. */
export function PreviewField({ field, language }: Props) {
  const t = useCatalogue(formsTexts);
  const { type, ref, validations } = field;
  const title = textIn(field.title, [language]) || ref;
  const label = `${title}${validations.required ? ' *' : ''}`;
  const options = (validations.options ?? []).map(({ value, label: text }) => ({
    value,
    text: textIn(text, [language]) || value,
  }));
  if (type === 'HIDDEN') {
    return (
      <p className="hint">
        {label} <bdi>({t.previewHidden})</bdi>
      </p>
    );
  }
  if (type === 'CHECKBOX' || type === 'CONSENT') {
    return (
      <label className="check">
        <input type="checkbox" />
        <span>{label}</span>
      </label>
    );
  }
  if (type === 'RADIO' || type === 'MULTI_SELECT') {
    return <Choices label={label} options={options} type={type === 'RADIO' ? 'radio' : 'checkbox'} />;
  }
  return (
    <Field label={label}>
      {({ id }) => {
        if (type === 'TEXTAREA') return <textarea id={id} rows={3} />;
        if (type !== 'SELECT') {
          return <input id={id} type={inputTypes[type] ?? 'text'} min={validations.min} max={validations.max} />;
        }
        return (
          <select id={id}>
            <option value="" aria-label="–" />
            <Options of={options.map(({ value, text }) => ({ value, label: text }))} />
          </select>
        );
      }}
    </Field>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly type: 'radio' | 'checkbox';
}

function Choices({ label, options, type }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className="check">
          <input type={type} name={name} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
