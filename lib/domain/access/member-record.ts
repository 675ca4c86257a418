import * as z from 'zod/mini';
import { orTrue } from '../schema-rules.ts';
import { inFormOrNull } from '../text/form-or-null.ts';
import { RecordId } from '../text/identifier.ts';
import { Name } from '../text/name.ts';
import { textForms } from '../text/text-forms.ts';
import { TimeStamp } from '../text/time-stamp.ts';
import { Permissions } from './permission.ts';

/** The languages of the console, in any case (lib/spec/additions.md section 9, "Languages"). */
export const ConsoleLanguage = z.pipe(
  z.transform((language) => (typeof language === 'string' ? language.toLowerCase() : language)),
  z.enum(['en', 'ar']),
);

/** A member of the workspace. API keys may belong to a member (lib/spec/decisions.md section 2). */
export const Member = z.strictObject({
  id: RecordId,
  name: Name,
  email: inFormOrNull(textForms.email),
  active: orTrue(),
  permissions: z._default(Permissions, () => []),
  /** The language of the member's console. By default the browser decides. */
  language: z.optional(z.nullable(ConsoleLanguage)),
  /**
   * When the person accepted the membership; null until then. It is absent where nobody has to accept: the operator made
   * the member, or the member has no address (lib/spec/additions.md section 9, "Membership needs consent").
   */
  acceptedAt: z.optional(z.nullable(TimeStamp)),
});
export type Member = z.infer<typeof Member>;
