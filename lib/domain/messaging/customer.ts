import * as z from 'zod/mini';
import { orNull } from '../defaults.ts';
import { longerThan } from '../text/code-points.ts';
import { RecordId } from '../text/identifier.ts';
import { type TextForm, textForms } from '../text/text-forms.ts';

const charactersMax = 200;

/** A text about a customer: at most 200 characters (code points), no control characters. */
export const CustomerText = z.string().check(
  z.refine((text) => !longerThan(text, charactersMax), {
    error: `Must be at most ${charactersMax} characters.`,
    params: { code: 'max_length' },
  }),
  z.refine((text) => !/\p{Cc}/u.test(text), 'Must have no control characters.'),
);

/** A text of a form, or null. A blank one is none. */
const inFormOrNull = ({ read, message }: TextForm) =>
  z._default(
    z.nullable(CustomerText).check(
      z.refine((text) => !text?.trim() || read(text) !== undefined, message),
      z.overwrite((text) => read(text ?? '') ?? null),
    ),
    null,
  );

/** A person who writes to the workspace, but is no member (lib/spec/interface.md section 2.6). */
export const Customer = z.strictObject({
  id: RecordId,
  externalId: orNull(CustomerText),
  name: orNull(CustomerText),
  email: orNull(CustomerText),
  phone: inFormOrNull(textForms.phone),
});
export type Customer = z.infer<typeof Customer>;
