import { useState } from 'react';
import type { FormView } from '#lib/domain/forms/form-view.ts';
import { textIn } from '../../data/localized.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { directionOf, languageOf } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { PreviewField } from './preview-field.tsx';
import { formsTexts } from './texts.ts';

/** What the preview shows of a form. */
export type ShownForm = Pick<FormView, 'title' | 'fields'>;

/** The form as visitors see it, in a language of the workspace. Nothing is sent. */
export function Preview({ form }: { readonly form: ShownForm }) {
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
