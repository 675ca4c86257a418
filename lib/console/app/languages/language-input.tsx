import { useField } from '../editing/editor-context.tsx';
import { LanguageButton } from './language-button.tsx';

interface Props {
  readonly path: string;
  readonly label: string;
  /** The label of the choice without a language. That choice is left out of the record. */
  readonly none: string;
}

/** One language of a record. */
export function LanguageInput({ path, label, none }: Props) {
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
