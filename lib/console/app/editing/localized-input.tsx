import { textIn } from '../data/localized.ts';
import { useProfile } from '../data/session-context.tsx';
import { directionOf } from '../texts/catalogue.ts';
import { useFormatLocale, useTexts } from '../texts/use-texts.tsx';
import { Field } from '../ui/field.tsx';
import { useEditor, useField } from './editor-context.tsx';
import { isObject } from './paths.ts';
import { withLanguage } from './with-language.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly isLong?: boolean;
  /** What a text without any language is stored as. @default {} */
  readonly empty?: null;
  /** A text without any language is left out. */
  readonly isOptional?: boolean;
}

/** One text in every language of the workspace, side by side. */
export function LocalizedInput({ path, label, isLong = false, empty, isOptional = false }: Props) {
  const { languages } = useProfile().workspace;
  const names = new Intl.DisplayNames([useFormatLocale()], { type: 'language' });
  const { error } = useField(path);
  return (
    <fieldset className="localized">
      <legend className="label">{label}</legend>
      <div className="localized-grid">
        {languages.map((language) => (
          <OneLanguage
            key={language}
            {...{ path, label, isLong, empty, isOptional, language }}
            languageName={names.of(language) ?? language}
          />
        ))}
      </div>
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}

interface OneProps extends Props {
  readonly language: string;
  readonly languageName: string;
}

function OneLanguage({ path, label, isLong, empty, isOptional, language, languageName }: OneProps) {
  const t = useTexts();
  const { change } = useEditor();
  const { value } = useField(path);
  const { error } = useField(`${path}.${language}`);
  const text = isObject(value) ? value[language] : undefined;
  // A text that no language has is not missing in one.
  const isMissing =
    isObject(value) && textIn(value as Readonly<Record<string, string>>, []) !== '' && !String(text ?? '').trim();
  const shared = {
    value: typeof text === 'string' ? text : '',
    lang: language,
    dir: directionOf(language),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      const next = withLanguage(value, language, target.value, empty);
      change(path, isOptional && isObject(next) && Object.keys(next).length === 0 ? undefined : next);
    },
  };
  return (
    <Field
      label={
        <>
          <span className="visually-hidden">{label}, </span>
          {languageName}
        </>
      }
      hint={isMissing ? <span className="tag warns">{t.missingTranslation}</span> : undefined}
      error={error}
    >
      {(attributes) =>
        isLong ? <textarea rows={4} {...attributes} {...shared} /> : <input type="text" {...attributes} {...shared} />
      }
    </Field>
  );
}
