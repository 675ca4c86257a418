import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const tlsFile = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The authority of `valid`, which is for `hook.example`, `localhost` and 127.0.0.1, and of the other certificates. */
export const authority = tlsFile('authority.pem');

export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has sent.
  readonly json: any;
}

/** Receives webhooks, and answers as a test plans it. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  readonly #server: Server;
  /** Answers a request whose body has arrived. */
  answer: RequestListener = (_, response) => response.writeHead(204).end();

  private constructor(certificate: string | undefined) {
    const listener: RequestListener = async (request, response) => {
      try {
        const { method = '', url: path = '', headers } = request;
        const body = await text(request);
        this.received.push({
          method,
          path,
          headers,
          body,
          get json() {
            return JSON.parse(body);
          },
        });
        this.answer(request, response);
      } catch {
        request.socket.destroy();
      }
    };
    const pair = certificate === undefined ? {} : { key: tlsFile('receiver.key'), cert: tlsFile(`${certificate}.pem`) };
    this.#server = certificate === undefined ? createHttp(listener) : createHttps(pair, listener);
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  /** @param certificate receives over TLS @param host an address of this machine */
  static async start(certificate?: 'valid' | 'expired' | 'other-name', host = '127.0.0.1'): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(certificate);
    await once(receiver.#server.listen(0, host), 'listening');
    return receiver;
  }

  /** Of one without TLS. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** The types of the events that have arrived, with their records. */
  get events(): [type: string, recordId: string][] {
    return this.received.map(({ json }) => [json.type, json.data.recordId]);
  }

  /** Forgets what has arrived, and answers 204 again. */
  reset(): void {
    this.received.length = 0;
    this.answer = (_, response) => response.writeHead(204).end();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
