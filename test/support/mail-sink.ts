import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SentMail } from '#lib/local/mail-service.ts';
import { readMail } from '#lib/local/mail-service.ts';

/** A fault of a send request. */
export type MailFault =
  /** Refused, such as `{ type: 'TooManyRequestsException', status: 429 }`. */
  | { readonly kind: 'error'; readonly type: string; readonly status: number; readonly message?: string }
  /** There is never a response. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the mail is accepted. */
  | { readonly kind: 'reset before' }
  /** The mail is accepted, but the connection breaks before the response. */
  | { readonly kind: 'reset after' };

type Plan = (mail: SentMail) => MailFault | undefined;

/** Imitates Amazon SES. It stores mails and makes planned faults. */
export class MailSink {
  readonly #server: Server;
  #plan: Plan = () => undefined;
  mails: SentMail[] = [];
  /** The headers of the newest mail. */
  headers: readonly { readonly Name: string; readonly Value: string }[] = [];
  /** The number of send requests, accepted or not. */
  attempts = 0;

  private constructor() {
    this.#server = createServer((request, reply) => {
      this.#handle(request, reply).catch(() => request.socket.destroy());
    });
  }

  /** Starts a sink and sets it as the SDK's endpoint. */
  static async start(): Promise<MailSink> {
    const sink = new MailSink();
    await once(sink.#server.listen(0, '127.0.0.1'), 'listening');
    process.env['AWS_ENDPOINT_URL_SESV2'] = sink.url;
    process.env['MAIL_FROM'] = 'forms@example.com';
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Plans a fault for some mails, all mails, or a number of mails, until the next plan. */
  plan(fault: MailFault | Plan, times = Number.POSITIVE_INFINITY): void {
    let left = times;
    this.#plan = typeof fault === 'function' ? fault : () => (left-- > 0 ? fault : undefined);
  }

  /** Ends all faults and clears the mails. */
  heal(): void {
    this.#plan = () => undefined;
    this.mails = [];
    this.attempts = 0;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const mail = readMail(body);
    if (!mail) return answer(reply, 400, { message: 'Not a mail.' }, 'BadRequestException');
    this.headers = JSON.parse(body.toString()).Content.Simple.Headers;
    this.attempts++;
    const fault = this.#plan(mail);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'error') {
      const { message = 'A planned fault.' } = fault;
      return answer(reply, fault.status, { message }, fault.type);
    }
    if (fault?.kind === 'reset before') return void request.socket.resetAndDestroy();
    this.mails.push(mail);
    if (fault?.kind === 'reset after') return void request.socket.resetAndDestroy();
    answer(reply, 200, { MessageId: randomUUID() });
  }
}

function answer(reply: ServerResponse, status: number, body: object, errorType?: string): void {
  if (errorType !== undefined) reply.setHeader('x-amzn-errortype', errorType);
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
