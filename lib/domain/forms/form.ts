import * as z from 'zod/mini';
import type { Issue } from '../input.ts';
import { listOf, orTrue, rule, uniqueBy } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { LocalizedName } from '../text/name.ts';
import { Slug } from '../text/slug.ts';
import { textForms } from '../text/text-forms.ts';
import { inForm } from '../text/text-in-form.ts';
import { fieldRules } from './form-field-rules.ts';
import { FormField } from './form-view.ts';
import { recipientsOf } from './recipients.ts';

const recipientsMax = 20;

const EmailAddress = z.string().check(...inForm(textForms.email));

/** A stored form. Answers show neither `enabled` nor `notifications` (lib/spec/decisions.md section 5). */
export const Form = z.strictObject({
  id: RecordId,
  slug: Slug,
  title: LocalizedName,
  enabled: orTrue(),
  notifications: z._default(z.strictObject({ emails: listOf(EmailAddress, rule(tooManyRecipients)) }), () => ({
    emails: [],
  })),
  fields: listOf(
    FormField,
    ...fieldRules(),
    z.maxLength(100, 'Must be at most 100 fields.'),
    uniqueBy('id'),
    uniqueBy('ref'),
  ),
});
export type Form = z.infer<typeof Form>;

function tooManyRecipients(emails: unknown): Issue[] {
  if (
    !Array.isArray(emails) ||
    recipientsOf(emails.filter((email) => typeof email === 'string')).length <= recipientsMax
  )
    return [];
  return [{ path: '', code: 'max_items', message: `Must be at most ${recipientsMax} different addresses.` }];
}
