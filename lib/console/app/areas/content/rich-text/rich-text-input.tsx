import { useField } from '../../../editing/editor-context.tsx';
import { LocalizedInput } from '../../../editing/localized-input.tsx';
import { Field } from '../../../ui/field.tsx';
import { RichTextArea } from './rich-text-area.tsx';

interface Props {
  readonly path: string;
  readonly label: string;
}

/** A formatted text, the same in every language. */
export function RichTextInput({ path, label }: Props) {
  const { value, set, error } = useField(path);
  return (
    <Field label={label} error={error}>
      {(attributes) => (
        <RichTextArea
          attributes={attributes}
          name={label}
          lang={undefined}
          dir="auto"
          value={typeof value === 'string' ? value : ''}
          set={(text) => set(text === '' ? null : text)}
        />
      )}
    </Field>
  );
}

/** A formatted text in every language of the workspace. */
export const LocalizedRichTextInput = (props: Props) => (
  <LocalizedInput {...props} empty={null} control={(controlProps) => <RichTextArea {...controlProps} />} />
);
