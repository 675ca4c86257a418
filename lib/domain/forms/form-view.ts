import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { Slug } from '../text/slug.ts';
import { FormField } from './form-field.ts';

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
