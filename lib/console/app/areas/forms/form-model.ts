import { applicableValidations } from '#lib/domain/forms/form-field-rules.ts';
import type { FormField, FormFieldType } from '#lib/domain/forms/form-view.ts';
import { unusedKey } from '../../editing/unused-key.ts';

/** The fields with `order` set to their positions. */
export const numbered = (fields: readonly FormField[]): readonly FormField[] =>
  fields.map((field, index) => (field.order === index + 1 ? field : { ...field, order: index + 1 }));

const refsOf = (fields: readonly FormField[]): string[] => fields.map(({ ref }) => ref);

/** A ref that no field has. */
export const unusedRef = (text: string, fields: readonly FormField[]): string => unusedKey(text, refsOf(fields));

/** @param id a random id */
export const blankField = (id: string, fields: readonly FormField[]): FormField => ({
  id,
  ref: unusedRef('', fields),
  title: {},
  type: 'TEXT',
  order: fields.length + 1,
  validations: {},
});

/** A copy of the question with another name. */
export const duplicateOf = (field: FormField, id: string, fields: readonly FormField[]): FormField => ({
  ...structuredClone(field),
  id,
  ref: unusedKey(field.ref, refsOf(fields)),
});

/** The field with another type. Rules that the type lacks are removed. */
export function withType({ validations, ...field }: FormField, type: FormFieldType): FormField {
  const kept = ['required', 'message', ...applicableValidations[type]];
  const rules = Object.fromEntries(Object.entries(validations).filter(([name]) => kept.includes(name)));
  const offers = applicableValidations[type].includes('options');
  return { ...field, type, validations: { ...(offers && { options: [] }), ...rules } };
}

/** A disabled copy of a form under another name. It is not stored. */
export function copyOfForm<Of extends { readonly id: string; readonly slug: string }>(
  form: Of,
  slugs: readonly string[],
) {
  const { id: _, slug, ...others } = form;
  const base = slug.slice(0, 90);
  let number = 2;
  while (slugs.includes(`${base}-${number}`)) number++;
  return { ...others, slug: `${base}-${number}`, enabled: false };
}
