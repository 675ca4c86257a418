import * as z from 'zod/mini';
import { RecordId } from '../text/identifier.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** The answer to one form field, of the field's type (lib/spec/decisions.md section 5). */
export const Answer = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], {
  error: 'Must be a string, a number, a boolean or an array of strings.',
});
export type Answer = z.infer<typeof Answer>;

/** An accepted response to a form: answers by ref, and metadata under names that start with `_`. */
export const FormResponse = z.strictObject({
  id: RecordId,
  formId: RecordId,
  answers: z._default(z.record(z.string(), Answer), () => ({})),
  meta: z._default(z.record(z.string(), z.unknown()), () => ({})),
  createdAt: TimeStamp,
});
export type FormResponse = z.infer<typeof FormResponse>;

/** A file of an answer. A deleted file has only its id. */
export const AnsweredFile = z.strictObject({
  id: z.string(),
  name: z.nullable(z.string()),
  type: z.nullable(z.string()),
  url: z.nullable(z.string()),
});
export type AnsweredFile = z.infer<typeof AnsweredFile>;

/** A file of an answer as a line of text; for a deleted one its id. */
export const fileText = ({ id, name, type, url }: AnsweredFile): string =>
  name === null ? id : [name, type === null ? '' : `(${type})`, url ?? ''].filter((part) => part !== '').join(' ');

/** A response in an answer, with the files of its answers by ref (lib/spec/additions.md section 2). */
export const FormResponseView = z.extend(FormResponse, { files: z.record(z.string(), z.array(AnsweredFile)) });
