import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { jsonIn } from '#lib/domain/input.ts';
import { type HttpAnswer, jsonAnswer, listenOnLoopback, readBody, writeAnswer } from './http-server.ts';

const bodyBytesMax = 10 * 1_048_576;

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
class Mailbox {
  #mails: SentMail[] = [];
  #characters = 0;

  /** Adds a mail, and removes the oldest ones above the limits of count and size. */
  add(mail: SentMail): void {
    this.#mails.push(mail);
    this.#characters += sizeOf(mail);
    while (this.#mails.length > 1 && (this.#mails.length > mailsMax || this.#characters > charactersMax)) {
      this.#characters -= this.#mails.splice(0, 1).reduce((sum, oldest) => sum + sizeOf(oldest), 0);
    }
  }

  /** Oldest first. */
  read = (): readonly SentMail[] => this.#mails;

  empty = (): void => {
    this.#mails = [];
    this.#characters = 0;
  };
}

const sizeOf = ({ subject, text, html }: SentMail): number => subject.length + text.length + html.length;

/**
 * Starts a server for the only call to Amazon SES, version 2, that the service makes.
 * @param accessKeyId required, because any web page in a browser on this machine could call the server
 * @returns `endpoint` is the SDK's address of Amazon SES
 */
export async function startMail(accessKeyId: string) {
  const mailbox = new Mailbox();
  const server = createServer((request, response) => {
    answer(accessKeyId, mailbox, request)
      .then((answered) => answered && writeAnswer(response, answered))
      .catch(() => request.socket.destroy());
  });
  const { url: endpoint, stop } = await listenOnLoopback(server);
  return { endpoint, mailbox, stop };
}

async function answer(
  accessKeyId: string,
  mailbox: Mailbox,
  request: IncomingMessage,
): Promise<HttpAnswer | undefined> {
  const body = await readBody(request, bodyBytesMax);
  if (!body) return undefined;
  if (!request.headers.authorization?.includes(`Credential=${accessKeyId}/`)) {
    return refusal(403, 'AccessDeniedException', 'The access key id is not the one of this service.');
  }
  if (request.method !== 'POST' || request.url !== '/v2/email/outbound-emails') {
    return refusal(404, 'NotFoundException', 'Only SendEmail is supported.');
  }
  const mail = readMail(body);
  if (!mail) return refusal(400, 'BadRequestException', 'Must be a simple message to 1 to 50 addresses.');
  mailbox.add(mail);
  return jsonAnswer(200, { MessageId: randomUUID() });
}

const refusal = (status: number, type: string, message: string): HttpAnswer =>
  jsonAnswer(status, { message }, { 'x-amzn-errortype': type });

const Address = z.string().check(z.regex(/^[^\r\n]*[^\s@]@[^\s@]+$/));
const Content = z.object({ Data: z.string() });

const SendEmail = z.object({
  FromEmailAddress: Address,
  Destination: z.object({ ToAddresses: z.array(Address).check(z.minLength(1), z.maxLength(50)) }),
  ReplyToAddresses: z.optional(z.array(Address)),
  Content: z.object({
    Simple: z.object({
      Subject: z.object({ Data: z.string().check(z.regex(/^[^\r\n]*$/)) }),
      Body: z.object({ Text: Content, Html: Content }),
    }),
  }),
});

/** @returns undefined for a mail that Amazon SES would refuse, or with parts that the service never sends */
export function readMail(body: Buffer): SentMail | undefined {
  const { data } = SendEmail.safeParse(jsonIn(body.toString()));
  if (!data) return undefined;
  const { Subject, Body } = data.Content.Simple;
  return {
    from: data.FromEmailAddress,
    to: data.Destination.ToAddresses,
    replyTo: data.ReplyToAddresses?.join(', ') || null,
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
    at: new Date().toISOString(),
  };
}
