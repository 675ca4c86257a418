import type { SelectOption } from '#lib/domain/forms/select-option.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useField } from '../../editing/editor-context.tsx';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly options: readonly SelectOption[];
}

/** Several choices of a field. Stored values that are no longer offered can be removed. */
export function ChoicesInput({ path, label, options }: Props) {
  const localized = useLocalized();
  const { value, set, error } = useField(path);
  const chosen = (Array.isArray(value) ? value : []) as readonly string[];
  const offered = options.map((option) => ({ value: option.value, name: localized(option.label) || option.value }));
  const former = chosen.filter((one) => !offered.some((option) => option.value === one));
  const all = [...offered, ...former.map((one) => ({ value: one, name: one }))];
  const toggle = (one: string) => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
    // In the order in which they are offered.
    set(all.map((option) => option.value).filter((option) => next.includes(option)));
  };
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="row">
        {all.map((option) => (
          <label key={option.value} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              aria-invalid={error === undefined ? undefined : true}
              onChange={() => toggle(option.value)}
            />
            <span dir="auto">{option.name}</span>
          </label>
        ))}
      </div>
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}
