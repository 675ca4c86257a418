import type { ShowText } from '../text/locale.ts';
import type { FormField } from './form-field.ts';
import type { FormView } from './form-view.ts';

/** A form with its texts in the form that `show` makes. */
export const localizedForm = (form: FormView, show: ShowText): object => ({
  ...form,
  title: show(form.title),
  fields: form.fields.map((field) => localizedField(field, show)),
});

function localizedField({ validations, ...field }: FormField, show: ShowText): object {
  const { options, message } = validations;
  return {
    ...field,
    title: show(field.title),
    validations: {
      ...validations,
      ...(options && { options: options.map((option) => ({ ...option, label: show(option.label) })) }),
      ...(message && { message: show(message) }),
    },
  };
}
