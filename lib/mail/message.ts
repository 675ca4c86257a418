/** A message to one person. */
export interface MailMessage {
  readonly to: string;
  /** The Reply-To address, if any. */
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
