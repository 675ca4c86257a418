import * as z from 'zod/mini';
import { isBlank } from './blank.ts';
import type { TextForm } from './text-forms.ts';

/** A text of a form or null, in a record. A blank text is none. */
export const inFormOrNull = ({ read, message }: TextForm, text: z.ZodMiniType<string, string> = z.string()) =>
  z._default(
    z.nullable(text).check(
      z.refine((value) => isBlank(value ?? '') || read(value ?? '') !== undefined, message),
      z.overwrite((value) => read(value ?? '') ?? null),
    ),
    null,
  );
