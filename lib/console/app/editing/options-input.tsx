import { useTexts } from '../texts/use-texts.tsx';
import { useField } from './editor-context.tsx';
import { TextInput } from './fields.tsx';
import { ListField } from './list-field.tsx';
import { LocalizedInput } from './localized-input.tsx';

interface Option {
  readonly value: string;
}

interface Props {
  readonly path: string;
  readonly label: string;
}

/** The choices of a select: a stored value each, and a label in every language. */
export function OptionsInput({ path, label }: Props) {
  const t = useTexts();
  const { value } = useField(path);
  const taken = ((value ?? []) as readonly Option[]).map((option) => option.value);
  return (
    <ListField
      path={path}
      label={label}
      addLabel={t.addOption}
      blank={() => ({ value: unusedValue(taken), label: {} })}
      itemLabel={(item) => (item as Option).value}
    >
      {(one) => (
        <>
          <TextInput path={`${one}.value`} label={t.optionValue} direction="ltr" />
          <LocalizedInput path={`${one}.label`} label={t.optionLabel} />
        </>
      )}
    </ListField>
  );
}

function unusedValue(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) if (!taken.includes(`option_${number}`)) return `option_${number}`;
}
