import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { quietLogger } from '#lib/aws/quiet-logger.ts';
import { type MailMessage, MailRefused, MailUnavailable } from './message.ts';

/** Refusals of the message itself. Another attempt cannot help. */
const refusals: ReadonlySet<string> = new Set(['BadRequestException', 'MessageRejected']);

/**
 * SES also answers `MessageRejected` for an unverified sender or, in its sandbox, recipient. Retries last a day, so an
 * operator can still verify the address or leave the sandbox.
 */
const unverified = /^Email address is not verified/;

const isAboutMessage = ({ name, message }: Error): boolean => refusals.has(name) && !unverified.test(message);

/** The sender's address, from the environment. */
export const mailFrom = (): string => process.env['MAIL_FROM'] ?? '';

/** Sends mail through Amazon SES, version 2; the SDK finds endpoint and credentials in the environment. */
export class Mailer {
  readonly #from: string;
  readonly #client = new SESv2Client({
    logger: quietLogger,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });

  /** @param from the sender, an address of a verified identity; while it is blank, nothing is sent */
  constructor(from: string) {
    this.#from = from;
  }

  /**
   * Returns when the mail service has accepted the message. After a lost reply it throws, although the message may have
   * been accepted.
   * @throws MailUnavailable, MailRefused
   */
  async send(message: MailMessage, signal: AbortSignal): Promise<void> {
    if (this.#from === '') throw new MailUnavailable('No sender is set (MAIL_FROM).');
    try {
      await this.#client.send(commandFor(this.#from, message), { abortSignal: signal });
    } catch (error) {
      const reason = `${(error as Error).name}: ${(error as Error).message}`;
      if (isAboutMessage(error as Error)) throw new MailRefused(reason, { cause: error });
      throw new MailUnavailable(reason, { cause: error });
    }
  }
}

/** Out-of-office replies do not answer such mails, and so do not reach the guest of `Reply-To` (RFC 3834). */
const automatic = { Name: 'Auto-Submitted', Value: 'auto-generated' };

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

const commandFor = (from: string, { to, replyTo, subject, text, html }: MailMessage): SendEmailCommand =>
  new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
    Content: {
      Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, Headers: [automatic] },
    },
  });
