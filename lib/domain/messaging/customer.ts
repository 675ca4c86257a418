import * as z from 'zod/mini';
import { orNull } from '../schema-rules.ts';
import { longerThan } from '../text/code-points.ts';
import { inFormOrNull } from '../text/form-or-null.ts';
import { RecordId } from '../text/identifier.ts';
import { nameOrNull } from '../text/name.ts';
import { normalized } from '../text/normal-form.ts';
import { textForms } from '../text/text-forms.ts';

const charactersMax = 200;

/** A text about a customer: at most 200 characters (code points), no control characters. */
export const CustomerText = z.string().check(
  z.refine((text) => !longerThan(text, charactersMax), {
    error: `Must be at most ${charactersMax} characters.`,
    params: { code: 'max_length' },
  }),
  // NUL is refused in every text.
  z.refine((text) => !/(?!\0)\p{Cc}/u.test(text), 'Must have no control characters.'),
);

/** A person who writes to the workspace, but is no member (lib/spec/interface.md section 2.6). */
export const Customer = z.strictObject({
  id: RecordId,
  externalId: orNull(CustomerText.check(z.overwrite((text) => normalized(text)))),
  name: nameOrNull(CustomerText),
  email: inFormOrNull(textForms.email, CustomerText),
  phone: inFormOrNull(textForms.phone, CustomerText),
});
export type Customer = z.infer<typeof Customer>;
