import { useId, useState } from 'react';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormField, FormFieldType } from '#lib/domain/forms/form-view.ts';
import { textIn } from '../../data/localized.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { directionOf, languageOf } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { formsTexts } from './texts.ts';

/** The form as visitors see it, in a language of the workspace. Nothing is sent. */
export function Preview({ form }: { readonly form: Pick<Form, 'title' | 'fields'> }) {
  const t = useCatalogue(formsTexts);
  const { languages, defaultLanguage } = useProfile().workspace;
  const [language, setLanguage] = useState(defaultLanguage);
  const languageName = useLanguageName();
  return (
    <section className="forms-preview" aria-label={t.preview}>
      <div className="row forms-preview-head">
        <h2>{t.preview}</h2>
        {languages.length > 1 && (
          <select aria-label={t.previewLanguage} value={language} onChange={({ target }) => setLanguage(target.value)}>
            <Options of={languages.map((code) => ({ value: code, label: languageName(code) }))} />
          </select>
        )}
      </div>
      <div className="card stack" lang={language} dir={directionOf(language)}>
        <h3 dir="auto">{textIn(form.title, [language]) || t.newForm}</h3>
        {form.fields.length === 0 && (
          <p className="hint" dir="auto">
            {t.previewEmpty}
          </p>
        )}
        {form.fields.map((field) => (
          <PreviewField key={field.id} field={field} language={language} />
        ))}
        {form.fields.length > 0 && (
          <span className="button primary" aria-hidden="true">
            {formsTexts[languageOf([language])].previewSend}
          </span>
        )}
      </div>
    </section>
  );
}

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

interface FieldProps {
  readonly field: FormField;
  readonly language: string;
}

/** One question as on a web page. */
function PreviewField({ field, language }: FieldProps) {
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
