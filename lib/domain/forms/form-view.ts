import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { LocalizedName } from '../text/name.ts';
import { FieldKey, Slug } from '../text/slug.ts';
import { typedText } from '../text/typed-text.ts';
import { SelectOptions } from './select-option.ts';

export const FormFieldType = z.enum([
  'TEXT',
  'TEXTAREA',
  'EMAIL',
  'PHONE',
  'NUMBER',
  'URL',
  'DATE',
  'TIME',
  'DATETIME',
  'SELECT',
  'MULTI_SELECT',
  'RADIO',
  'CHECKBOX',
  'RATING',
  'FILE',
  'CONSENT',
  'HIDDEN',
]);
export type FormFieldType = z.infer<typeof FormFieldType>;

const Count = z.int().check(z.minimum(0, 'Must be at least 0.'));
/** Checked with the type of its field. */
const Moment = z.string().check(z.overwrite(typedText));

/** The validations of a field; only those that apply to its type (lib/spec/decisions.md section 5). */
export const Validations = z.strictObject({
  required: z.optional(z.boolean()),
  minLength: z.optional(Count),
  maxLength: z.optional(Count),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  step: z.optional(
    z.number().check(z.refine((step) => step > 0, { error: 'Must be above 0.', params: { code: 'min' } })),
  ),
  pattern: z.optional(z.string()),
  options: z.optional(SelectOptions),
  minItems: z.optional(Count),
  maxItems: z.optional(Count),
  minDate: z.optional(Moment),
  maxDate: z.optional(Moment),
  message: z.optional(Localized),
});
export type Validations = z.infer<typeof Validations>;

/** A field of a form (lib/spec/interface.md section 2.4). Those of a stored form also keep to form-field-rules.ts. */
export const FormField = z.strictObject({
  id: RecordId,
  ref: FieldKey,
  title: LocalizedName,
  type: FormFieldType,
  order: z._default(z.number(), 0),
  validations: z._default(Validations, () => ({})),
});
export type FormField = z.infer<typeof FormField>;

/** A form in public answers (lib/spec/interface.md section 2.4). */
export const FormView = z.object({ id: RecordId, slug: Slug, title: Localized, fields: z.array(FormField) });
export type FormView = z.infer<typeof FormView>;

/** The fields by `order`, ties as stored (lib/spec/decisions.md section 5). */
export const inFormOrder = (fields: readonly FormField[]): FormField[] => fields.toSorted((a, b) => a.order - b.order);

/** The paths of the texts of a form. */
export const formTexts = [
  'title',
  'fields[].title',
  'fields[].validations.options[].label',
  'fields[].validations.message',
] as const;
