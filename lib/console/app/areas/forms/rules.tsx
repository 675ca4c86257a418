import { applicableValidations } from '#lib/domain/forms/form-field-rules.ts';
import type { FormFieldType } from '#lib/domain/forms/form-view.ts';
import { useField } from '../../editing/editor-context.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { OptionsInput } from '../../editing/options-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Field } from '../../ui/field.tsx';
import { formsTexts } from './texts.ts';

interface Props {
  /** Such as `fields.2.validations`. */
  readonly path: string;
  readonly type: FormFieldType;
}

const counts = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;
const numbers = ['min', 'max', 'step'] as const;
const moments = ['minDate', 'maxDate'] as const;
const momentHints: Partial<Record<FormFieldType, 'dayHint' | 'timeHint' | 'momentHint'>> = {
  DATE: 'dayHint',
  TIME: 'timeHint',
  DATETIME: 'momentHint',
};

/** The choices and bounds of a type. An empty bound has no effect. */
export function Rules({ path, type }: Props) {
  const t = useCatalogue(formsTexts);
  const has = applicableValidations[type];
  const hint = momentHints[type];
  const labels = type === 'FILE' ? { ...t, minItems: t.minFiles, maxItems: t.maxFiles } : t;
  return (
    <>
      {has.includes('options') && <OptionsInput path={`${path}.options`} label={t.options} />}
      {has.some((name) => name !== 'options') && (
        <fieldset className="form-grid">
          <legend className="visually-hidden">{t.rules}</legend>
          {[...counts, ...numbers]
            .filter((name) => has.includes(name))
            .map((name) => (
              <Bound key={name} path={`${path}.${name}`} label={labels[name]} isNumber />
            ))}
          {has.includes('pattern') && <Bound path={`${path}.pattern`} label={t.pattern} />}
          {moments
            .filter((name) => has.includes(name))
            .map((name) => (
              <Bound key={name} path={`${path}.${name}`} label={t[name]} hint={hint && t[hint]} />
            ))}
        </fieldset>
      )}
      <LocalizedInput path={`${path}.message`} label={t.message} isOptional />
    </>
  );
}

interface BoundProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly isNumber?: boolean;
}

/** A bound, which is absent while its input is empty. */
function Bound({ path, label, hint, isNumber = false }: BoundProps) {
  const { value, set, error } = useField(path);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          type={isNumber ? 'number' : 'text'}
          inputMode={isNumber ? 'decimal' : undefined}
          step={isNumber ? 'any' : undefined}
          dir="ltr"
          {...attributes}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          onChange={({ target }) =>
            set(target.value === '' ? undefined : isNumber ? target.valueAsNumber : target.value)
          }
        />
      )}
    </Field>
  );
}
