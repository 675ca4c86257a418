import { useState } from 'react';
import { useField } from '../../editing/editor-context.tsx';
import { isEqual } from '../../editing/paths.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { isUnparsed, jsonOf, textOfJson } from './json-text.ts';
import { contentTexts } from './texts.ts';

/** A JSON value as text. Text that is not JSON yet is kept and cannot be saved. */
export function JsonInput({ path, label }: { readonly path: string; readonly label: string }) {
  const t = useCatalogue(contentTexts);
  const { value, set, error } = useField(path);
  // The typed text stays unchanged until other code changes the value.
  const [typed, setTyped] = useState('');
  const text = isEqual(jsonOf(typed), value ?? null) ? typed : textOfJson(value);
  return (
    <Field label={label} hint={t.jsonHint} error={isUnparsed(value) ? t.notJson : error}>
      {(attributes) => (
        <textarea
          rows={6}
          dir="ltr"
          className="code"
          spellCheck={false}
          {...attributes}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value);
            set(jsonOf(target.value));
          }}
        />
      )}
    </Field>
  );
}
