import * as z from 'zod/mini';
import { orTrue } from '../defaults.ts';
import { emailAddress } from '../text/email-address.ts';
import { RecordId } from '../text/identifier.ts';
import { Name } from '../text/name.ts';
import { inFormOrNull, textForms } from '../text/text-forms.ts';
import { TimeStamp } from '../text/time-stamp.ts';
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
  /**
   * When the person accepted the membership; null until then. It is absent where nobody has to accept: the operator made
   * the member, or the member has no address (lib/spec/additions.md section 9, "Membership needs consent").
   */
  acceptedAt: z.optional(z.nullable(TimeStamp)),
});
export type Member = z.infer<typeof Member>;

/** Normalises an address for comparison (lib/spec/additions.md section 6). @returns undefined for a malformed one */
export const memberAddress = (email: string | null | undefined): string | undefined =>
  emailAddress(email ?? '')?.toLowerCase();

/** Whether the person has not accepted the membership yet. */
export const isPending = ({ acceptedAt }: Pick<Member, 'acceptedAt'>): boolean => acceptedAt === null;

/** Whether a member opens sessions and has permissions, also for its keys. */
export const isInEffect = (member: Pick<Member, 'active' | 'acceptedAt'>): boolean =>
  member.active && !isPending(member);

/** True for a member in effect who may manage members. */
export const isManager = (member: Member): boolean =>
  isInEffect(member) && member.permissions.includes('access:member:manage');

/**
 * A member as somebody else writes it: a person who gets the membership, by a new member or another address, has to
 * accept it.
 */
export function withConsent(before: Member | undefined, { acceptedAt: _, ...after }: Member): Member {
  const address = memberAddress(after.email);
  if (address === undefined) return after;
  if (memberAddress(before?.email) !== address) return { ...after, acceptedAt: null };
  return before?.acceptedAt === undefined ? after : { ...after, acceptedAt: before.acceptedAt };
}
