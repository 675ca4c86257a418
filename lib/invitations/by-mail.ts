import { Mailer } from '#lib/mail/mailer.ts';
import { html, type MailMessage, MailRefused, mailHtml, plainLine, shortened } from '#lib/mail/message.ts';
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

const nameCharactersMax = 100;

/** The mail that invites a new member to the console, in English and Arabic. */
export function invitationMail(workspaceName: string, consoleUrl: string): Omit<MailMessage, 'to'> {
  const name = shortened(plainLine(workspaceName), nameCharactersMax);
  // A name of the other direction keeps its own, and does not turn the sentence around.
  const isolated = `\u2068${name}\u2069`;
  const english = `You are invited to manage ${isolated}. Sign in with this e-mail address:`;
  const arabic = `تمت دعوتك إلى إدارة ${isolated}. سجّل الدخول بعنوان البريد الإلكتروني هذا:`;
  const subject = `You are invited to ${name}`;
  return {
    replyTo: undefined,
    subject,
    text: [english, consoleUrl, '', arabic, consoleUrl, ''].join('\n'),
    html: mailHtml(
      'en',
      subject,
      html`<p>${english}</p>
<p><a href="${consoleUrl}">${consoleUrl}</a></p>
<p lang="ar" dir="rtl">${arabic}</p>
<p lang="ar" dir="rtl"><a dir="ltr" href="${consoleUrl}">${consoleUrl}</a></p>
`,
    ),
  };
}
