import { useRef } from 'react';
import { useField } from '../../../editing/editor-context.tsx';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly allLabel: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of all items, stored as an absent list, or of some items. */
export function SubsetInput({ path, label, allLabel, options }: Props) {
  const { value, set, error } = useField(path);
  const before = useRef<readonly string[]>([]);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : undefined;
  // A stored value that is no longer offered, such as a deleted database, can be removed.
  const others = (chosen ?? []).filter((one) => !options.some((option) => option.value === one));
  const all = [...options, ...others.map((one) => ({ value: one, label: one }))];
  const toggleAll = (isAll: boolean) => {
    if (chosen) before.current = chosen;
    set(isAll ? undefined : before.current);
  };
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <label className="check">
        <input type="checkbox" checked={chosen === undefined} onChange={({ target }) => toggleAll(target.checked)} />
        <span>{allLabel}</span>
      </label>
      {chosen && (
        <div className="stack">
          {all.map((option) => (
            <label key={option.value} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(option.value)}
                aria-invalid={error === undefined ? undefined : true}
                onChange={({ target }) =>
                  set(target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
                }
              />
              <span dir="auto">{option.label}</span>
            </label>
          ))}
        </div>
      )}
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}
