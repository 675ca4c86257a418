import { Unavailable } from '#lib/table/errors.ts';
import { type Invitation, InvitationRefused, type Outcome } from './invitation.ts';

/** The inviter of this deployment. */
export interface Inviter {
  /** The user pool of the stack. Absent where another issuer signs people in, and locally. */
  readonly userPoolId?: string | undefined;
  /** The sender of mails, which take the place of a user pool's own invitation. */
  readonly mailFrom?: string | undefined;
}

/** The inviter that the function's environment names. */
export const ownInviter = (): Inviter => ({
  userPoolId: process.env['USER_POOL_ID'],
  mailFrom: process.env['MAIL_FROM'],
});

/** A request has 15 seconds altogether. */
export const millisecondsMax = 5_000;

/**
 * Invites a person; repeated calls invite again. A user pool creates the account and mails the first password. Another
 * issuer has its own accounts, so a mail contains the address of the sign-in.
 * @throws InvitationRefused, Unavailable
 */
export async function invite(invitation: Invitation, inviter: Inviter): Promise<void> {
  const outcome = await outcomeOf(invitation, inviter, AbortSignal.timeout(millisecondsMax));
  if ('refused' in outcome) throw new InvitationRefused(outcome.refused);
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable);
}

/** Code that is loaded on demand is a separate bundle with its own copies of error classes. */
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
