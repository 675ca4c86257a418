import { useCatalogue } from '../texts/use-texts.tsx';
import { useField } from './editor-context.tsx';
import { TextInput } from './fields.tsx';
import { ListField } from './list-field.tsx';
import { LocalizedInput } from './localized-input.tsx';
import { editingTexts } from './texts.ts';

interface Option {
  readonly value: string;
}

interface Props {
  readonly path: string;
  readonly label: string;
}

/** The choices of a select: a stored value each, and a label in every language. */
export function OptionsInput({ path, label }: Props) {
  const t = useCatalogue(editingTexts);
  const { value } = useField(path);
  const usedValues = ((value ?? []) as readonly Option[]).map((option) => option.value);
  return (
    <ListField
      path={path}
      label={label}
      addLabel={t.addOption}
      blank={() => ({ value: unusedValue(usedValues), label: {} })}
      itemLabel={(item) => (item as Option).value}
    >
      {(path) => (
        <>
          <TextInput path={`${path}.value`} label={t.optionValue} direction="ltr" />
          <LocalizedInput path={`${path}.label`} label={t.optionLabel} />
        </>
      )}
    </ListField>
  );
}

function unusedValue(usedValues: readonly string[]): string {
  for (let number = usedValues.length + 1; ; number++)
    if (!usedValues.includes(`option_${number}`)) return `option_${number}`;
}
