import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import type { ShowText } from '../text/locale.ts';
import { Localized } from '../text/localized.ts';
import { Slug } from '../text/slug.ts';
import { FormField } from './form-field.ts';

/** A form in public answers (lib/spec/interface.md section 2.4). */
export const FormView = z.object({ id: RecordId, slug: Slug, title: Localized, fields: z.array(FormField) });
export type FormView = z.infer<typeof FormView>;

/** The fields by `order`, ties as stored (lib/spec/decisions.md section 5). */
export const inFormOrder = (fields: readonly FormField[]): FormField[] => fields.toSorted((a, b) => a.order - b.order);

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
