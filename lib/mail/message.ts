/** A message to one person. */
export interface MailMessage {
  readonly to: string;
  /** The Reply-To address, if any. */
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail service is down, slow, throttled or not set up. A retry may succeed. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}

/** The mail service refuses this message permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
