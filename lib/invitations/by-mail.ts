import { MailRefused } from '#lib/mail/errors.ts';
import { invitationMail } from '#lib/mail/invitation-mail.ts';
import { Mailer } from '#lib/mail/mailer.ts';
import type { Invitation, Outcome } from './invitation.ts';

/** Mails the address of the console; the issuer has an account of the person already, or lets them make one. */
export async function inviteByMail(from: string, invitation: Invitation, signal: AbortSignal): Promise<Outcome> {
  const { address: to, workspaceName, publicUrl } = invitation;
  try {
    await new Mailer(from).send({ to, ...invitationMail(workspaceName, `${publicUrl}/console`) }, signal);
    return { sent: true };
  } catch (error) {
    if (error instanceof MailRefused) return { refused: 'The mail service refuses this e-mail address.' };
    return { unavailable: (error as Error).message };
  }
}
