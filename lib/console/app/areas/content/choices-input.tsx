import type { SelectOption } from '#lib/domain/forms/select-option.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useField } from '../../editing/editor-context.tsx';
import { CheckOptions, withChosen } from '../../ui/check-options.tsx';

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
  const offered = options.map((option) => ({ value: option.value, label: localized(option.label) || option.value }));
  const all = withChosen(offered, chosen);
  const toggle = (choice: string) => {
    const next = chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice];
    // In the order in which they are offered.
    set(all.map((option) => option.value).filter((option) => next.includes(option)));
  };
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <CheckOptions className="row" options={all} chosen={chosen} hasError={error !== undefined} toggle={toggle} />
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}
