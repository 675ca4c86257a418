import { useState } from 'react';
import { useEditor } from '../editing/editor-context.tsx';
import { useListField } from '../editing/use-list-field.ts';
import { useFormatLocale, useTexts } from '../texts/use-texts.tsx';
import { CloseIcon, PlusIcon } from '../ui/icons.tsx';
import { OrderButtons } from '../ui/order-buttons.tsx';
import { languageOfCode } from './language-list.ts';
import { LanguagePicker } from './language-picker.tsx';
import { LanguageText } from './language-text.tsx';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly hint: string;
  readonly addLabel: string;
}

/** An ordered list of languages without duplicates. */
export function LanguagesInput({ path, label, hint, addLabel }: Props) {
  const t = useTexts();
  const locale = useFormatLocale();
  const { faults } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const { items, keys, error, add, remove, move } = useListField<string>(path);
  const isWrong = (index: number) => faults.some((fault) => fault.path === `${path}.${index}`);
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <p className="hint">{hint}</p>
      <ol className="targets">
        {items.map((code, index) => {
          const language = languageOfCode(code, locale);
          return (
            <li key={keys[index]}>
              <span className="row target-name">
                <LanguageText language={language} />
                {isWrong(index) && <span className="tag bad">{t.errorValue}</span>}
              </span>
              <OrderButtons index={index} count={items.length} name={language.name} move={move} />
              <button
                type="button"
                className="button icon"
                aria-label={`${t.remove}: ${language.name}`}
                onClick={() => remove(index)}
              >
                <CloseIcon />
              </button>
            </li>
          );
        })}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <div>
        <button
          type="button"
          className="button small"
          aria-haspopup="dialog"
          aria-invalid={error === undefined ? undefined : true}
          onClick={() => setOpen(true)}
        >
          <PlusIcon />
          {addLabel}
        </button>
      </div>
      {isOpen && (
        <LanguagePicker except={items} choose={(code) => code !== null && add(code)} close={() => setOpen(false)} />
      )}
    </fieldset>
  );
}
