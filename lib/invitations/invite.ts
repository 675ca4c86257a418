import { Unavailable } from '#lib/table/errors.ts';
import { type Invitation, InvitationRefused, type Outcome } from './invitation.ts';

/** What this deployment invites people with. */
export interface Inviter {
  /** The user pool of the stack. Absent where another issuer signs people in, and locally. */
  readonly userPoolId?: string | undefined;
  /** The sender of mails, which take the place of a user pool's own invitation. */
  readonly mailFrom?: string | undefined;
}

/** A request has 15 seconds altogether. */
const millisecondsMax = 5_000;

/**
 * Invites a person, again if that has been done before: a user pool makes the account and mails the first password;
 * another issuer has its own accounts, and a mail says where to sign in.
 * @throws InvitationRefused, Unavailable
 */
export async function invite(invitation: Invitation, inviter: Inviter): Promise<void> {
  const outcome = await outcomeOf(invitation, inviter, AbortSignal.timeout(millisecondsMax));
  if ('refused' in outcome) throw new InvitationRefused(outcome.refused);
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable);
}

/** What is loaded on demand is a bundle of its own, whose error classes would be others than those of this one. */
async function outcomeOf(
  invitation: Invitation,
  { userPoolId, mailFrom = '' }: Inviter,
  signal: AbortSignal,
): Promise<Outcome> {
  if (userPoolId !== undefined) {
    const { inviteByUserPool } = await import('#lib/invitations/by-user-pool.ts');
    return inviteByUserPool(userPoolId, invitation, signal);
  }
  const { inviteByMail } = await import('#lib/invitations/by-mail.ts');
  return inviteByMail(mailFrom, invitation, signal);
}
