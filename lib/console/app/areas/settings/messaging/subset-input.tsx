import { useRef } from 'react';
import { useField } from '../../../editing/editor-context.tsx';
import { CheckOptions, withChosen } from '../../../ui/check-options.tsx';

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
        <CheckOptions
          className="stack"
          options={withChosen(options, chosen)}
          chosen={chosen}
          hasError={error !== undefined}
          toggle={(value) =>
            set(chosen.includes(value) ? chosen.filter((choice) => choice !== value) : [...chosen, value])
          }
        />
      )}
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}
