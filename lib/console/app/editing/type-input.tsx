import { Field } from '../ui/field.tsx';
import { Options } from '../ui/options.tsx';
import { useEditor, useField } from './editor-context.tsx';

interface Props<Type extends string, Value extends { readonly type: Type }> {
  /** The path of the whole field, such as `fields.2`. */
  readonly path: string;
  readonly label: string;
  readonly field: Value;
  /** The names of all types, in the order of the menu. */
  readonly names: Readonly<Record<Type, string>>;
  /** The field with another type, and with the properties that this type has. */
  readonly withType: (field: Value, type: Type) => unknown;
}

/** The type of a field of a database or a form. Another type changes other properties of the field, too. */
export function TypeInput<Type extends string, Value extends { readonly type: Type }>({
  path,
  label,
  field,
  names,
  withType,
}: Props<Type, Value>) {
  const { change } = useEditor();
  const { error } = useField(`${path}.type`);
  const types = Object.keys(names) as Type[];
  return (
    <Field label={label} error={error}>
      {(attributes) => (
        <select
          {...attributes}
          value={field.type}
          onChange={({ target }) => change(path, withType(field, target.value as Type))}
        >
          <Options of={types.map((type) => ({ value: type, label: names[type] }))} />
        </select>
      )}
    </Field>
  );
}
