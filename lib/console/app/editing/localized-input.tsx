import type { ReactNode } from 'react';
import { isObject } from '#lib/domain/input.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { textIn } from '../data/localized.ts';
import { useProfile } from '../data/session-context.tsx';
import { useLanguageName } from '../languages/use-language-name.ts';
import { directionOf } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { Field, type FieldAttributes } from '../ui/field.tsx';
import { useEditor, useField } from './editor-context.tsx';
import { editingTexts } from './texts.ts';
import { withLanguage } from './with-language.ts';

/** The properties of an input for a text in one language. */
export interface TextControlProps {
  readonly attributes: FieldAttributes;
  /** The label of the text, with its language. */
  readonly name: string;
  readonly value: string;
  /** Undefined if it is unknown. */
  readonly lang: string | undefined;
  readonly dir: 'ltr' | 'rtl' | 'auto';
  readonly set: (text: string) => void;
}

interface Props {
  readonly path: string;
  readonly label: string;
  /** Another input. @default one line, or several with `isLong` */
  readonly control?: (props: TextControlProps) => ReactNode;
  readonly isLong?: boolean;
  /** The stored value of a text without any language. @default {} */
  readonly empty?: null;
  /** True if a text without any language is left out. */
  readonly isOptional?: boolean;
}

/** One text in every language of the workspace, side by side. */
export function LocalizedInput({ path, label, isLong = false, empty, isOptional = false, control }: Props) {
  const { languages } = useProfile().workspace;
  const nameOf = useLanguageName();
  const { error } = useField(path);
  return (
    <fieldset className="localized">
      <legend className="label">{label}</legend>
      <div className="localized-grid">
        {languages.map((language) => (
          <OneLanguage
            key={language}
            path={path}
            label={label}
            isLong={isLong}
            empty={empty}
            isOptional={isOptional}
            language={language}
            {...(control && { control })}
            languageName={nameOf(language)}
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

function OneLanguage({ path, label, isLong, empty, isOptional, language, languageName, control }: OneProps) {
  const t = useCatalogue(editingTexts);
  const { change } = useEditor();
  const { value } = useField(path);
  const { error } = useField(`${path}.${language}`);
  const text = isObject(value) ? value[language] : undefined;
  // A text without any language is not marked as missing.
  const isMissing =
    isObject(value) && textIn(value as Readonly<Record<string, string>>, []) !== '' && isBlank(String(text ?? ''));
  const set = (typed: string) => {
    const next = withLanguage(value, language, typed, empty);
    change(path, isOptional && isObject(next) && Object.keys(next).length === 0 ? undefined : next);
  };
  const common = { value: typeof text === 'string' ? text : '', lang: language, dir: directionOf(language) } as const;
  const shared = {
    ...common,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set(target.value),
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
        control ? (
          control({ ...common, attributes, set, name: `${label}, ${languageName}` })
        ) : isLong ? (
          <textarea rows={4} {...attributes} {...shared} />
        ) : (
          <input type="text" {...attributes} {...shared} />
        )
      }
    </Field>
  );
}
