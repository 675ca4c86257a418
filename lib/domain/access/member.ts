import { emailAddress } from '../text/email-address.ts';
import type { Member } from './member-record.ts';

export type { Member } from './member-record.ts';

/** Normalises an address for comparison (lib/spec/additions.md section 6). @returns undefined for a malformed one */
export const memberAddress = (email: string | null | undefined): string | undefined =>
  emailAddress(email ?? '')?.toLowerCase();

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
