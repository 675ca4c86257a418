import { useId, useState } from 'react';
import { useProfile } from '../data/session-context.tsx';
import { useField } from '../editing/editor-context.tsx';
import { LanguagePicker } from './language-picker.tsx';
import { useLanguageName } from './use-language-name.ts';

interface Props {
  readonly label: string;
  readonly code: string | null;
  /** The label of the choice without a language. */
  readonly none: string;
  readonly choose: (code: string | null) => void;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly error?: string | undefined;
}

/** A label, and a button that shows the chosen language and opens the dialog of all languages. */
export function LanguageButton({ label, code, none, choose, className = 'field', isDisabled = false, error }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { languages } = useProfile().workspace;
  const name = useLanguageName();
  return (
    <div className={className}>
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        id={id}
        className="button choice-button"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        aria-invalid={error === undefined ? undefined : true}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        {code === null ? none : name(code)}
      </button>
      {error !== undefined && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {isOpen && (
        <LanguagePicker code={code} usual={languages} none={none} choose={choose} close={() => setOpen(false)} />
      )}
    </div>
  );
}

interface InputProps {
  readonly path: string;
  readonly label: string;
  /** The label of the choice without a language. That choice is left out of the record. */
  readonly none: string;
}

/** One language of a record. */
export function LanguageInput({ path, label, none }: InputProps) {
  const { value, set, error } = useField(path);
  return (
    <LanguageButton
      label={label}
      code={typeof value === 'string' ? value : null}
      none={none}
      choose={(code) => set(code ?? undefined)}
      error={error}
    />
  );
}
