/** A mail as `/_local/mail` lists it (lib/spec/workspace-document.md section 5). */
export interface SentMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: string;
}

const mailsMax = 1_000;
const charactersMax = 32 * 1_048_576;

/** The newest mails of the local run, in memory. */
export class Mailbox {
  #mails: SentMail[] = [];
  #characters = 0;

  /** Adds a mail, and removes the oldest ones above the limits of count and size. */
  add = (mail: SentMail): void => {
    this.#mails.push(mail);
    this.#characters += sizeOf(mail);
    while (this.#mails.length > 1 && (this.#mails.length > mailsMax || this.#characters > charactersMax)) {
      this.#characters -= this.#mails.splice(0, 1).reduce((sum, oldest) => sum + sizeOf(oldest), 0);
    }
  };

  /** Oldest first. */
  read = (): readonly SentMail[] => this.#mails;

  empty = (): void => {
    this.#mails = [];
    this.#characters = 0;
  };
}

const sizeOf = ({ subject, text, html }: SentMail): number => subject.length + text.length + html.length;
