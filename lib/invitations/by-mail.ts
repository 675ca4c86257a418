import { MailRefused } from '#lib/mail/errors.ts';
import { invitationMail } from '#lib/mail/invitation-mail.ts';
import { Mailer } from '#lib/mail/mailer.ts';
import type { Invitation, Outcome } from './invitation.ts';

/** Mails the URL of the console. The person has an account at the issuer, or can create one there. */
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
