import type { FormField } from '#lib/domain/forms/form-field.ts';
import type { formsTexts } from './texts.ts';

type Texts = (typeof formsTexts)['ar'];

/** The label for a path: `fields.2.validations.min` is the minimum of the third question. */
export function formLabel(
  fields: readonly FormField[] | undefined,
  localized: (text: FormField['title']) => string,
  t: Texts,
): (path: string) => string {
  const members: Readonly<Record<string, string>> = {
    title: t.fieldTitle,
    ref: t.fieldRef,
    type: t.fieldType,
    required: t.required,
    message: t.message,
    minLength: t.minLength,
    maxLength: t.maxLength,
    pattern: t.pattern,
    min: t.min,
    max: t.max,
    step: t.step,
    minItems: t.minItems,
    maxItems: t.maxItems,
    minDate: t.minDate,
    maxDate: t.maxDate,
    options: t.options,
  };
  const whole: Readonly<Record<string, string>> = {
    title: t.formTitle,
    slug: t.address,
    enabled: t.enabled,
    notifications: t.notify,
    fields: t.fields,
  };
  return (path) => {
    const [member = '', index = '', ...rest] = path.split('.');
    const field = fields?.[Number(index)];
    if (member !== 'fields' || !field) return whole[member] ?? path;
    const steps = rest.filter((step) => step !== 'validations' && !/^\d+$/.test(step));
    return [localized(field.title) || field.ref || t.untitled, ...steps.map((step) => members[step] ?? step)].join(
      ', ',
    );
  };
}
