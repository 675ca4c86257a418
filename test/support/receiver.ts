import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver has got. */
export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it knows of the body.
  readonly json: any;
}

type Behaviour = (response: ServerResponse, received: Received) => void;

/** A server on this machine that gets webhooks. */
export class Receiver {
  readonly received: Received[] = [];
  /** What it does with a request. */
  answer: Behaviour = (response) => response.writeHead(204).end();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      const text = Buffer.concat(await Array.fromAsync(request)).toString();
      const received = { headers: request.headers, text, json: JSON.parse(text) };
      this.received.push(received);
      this.answer(response, received);
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The types of what has arrived, with the records. */
  get events(): [type: string, recordId: string][] {
    return this.received.map(({ json }) => [json.type, json.data.recordId]);
  }

  /** Forgets what has arrived, and answers 204 again. */
  reset(): void {
    this.received.length = 0;
    this.answer = (response) => response.writeHead(204).end();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
