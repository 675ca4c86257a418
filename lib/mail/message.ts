/** A message to one person. */
export interface MailMessage {
  readonly to: string;
  /** Where an answer to it goes; without one, to the sender. */
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
