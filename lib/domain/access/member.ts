import * as z from 'zod/mini';
import { orTrue } from '../defaults.ts';
import { emailAddress } from '../text/email-address.ts';
import { RecordId } from '../text/identifier.ts';
import { Name } from '../text/name.ts';
import { inFormOrNull, textForms } from '../text/text-forms.ts';
import { Permissions } from './permission.ts';

/** The languages of the console. */
export const ConsoleLanguage = z.enum(['en', 'ar']);

/** A member of the workspace. API keys may belong to a member (lib/spec/decisions.md section 2). */
export const Member = z.strictObject({
  id: RecordId,
  name: Name,
  email: inFormOrNull(textForms.email),
  active: orTrue(),
  permissions: z._default(Permissions, () => []),
  /** The language of the member's console. By default the browser decides. */
  language: z.optional(z.nullable(ConsoleLanguage)),
});
export type Member = z.infer<typeof Member>;

/** Normalises an address for comparison (lib/spec/additions.md section 6). @returns undefined for a malformed one */
export const memberAddress = (email: string | null | undefined): string | undefined =>
  emailAddress(email ?? '')?.toLowerCase();

/** True for an active member who may manage members. */
export const isManager = ({ active, permissions }: Member): boolean =>
  active && permissions.includes('access:member:manage');
