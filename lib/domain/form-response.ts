import * as z from 'zod/mini';
import { RecordId } from './identifier.ts';
import { TimeStamp } from './time-stamp.ts';

/** The answer to one form field, of the field's type (lib/spec/decisions.md section 5). */
export const Answer = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], {
  error: 'Must be a string, a number, a boolean or an array of strings.',
});
export type Answer = z.infer<typeof Answer>;

/** An accepted response to a form: answers by ref, and meta data under names that start with `_`. */
export const FormResponse = z.strictObject({
  id: RecordId,
  formId: RecordId,
  answers: z._default(z.record(z.string(), Answer), () => ({})),
  meta: z._default(z.record(z.string(), z.unknown()), () => ({})),
  createdAt: TimeStamp,
});
export type FormResponse = z.infer<typeof FormResponse>;
