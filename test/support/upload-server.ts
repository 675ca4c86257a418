import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { MinimumRate } from '#lib/http/web.ts';
import { formType } from './multipart.ts';

export interface UploadAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer.
  readonly json: any;
}

/** Receives uploads over plain HTTP, as the local run and the Lambda web function do. */
export class UploadServer {
  readonly #server: Server;
  #underWay = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param pace the minimum rate of bodies, if it matters */
  static async start(pace?: MinimumRate): Promise<UploadServer> {
    // Loaded here, so that it uses the proxies that a test has started before.
    const { web } = await import('#functions/attachments-upload/handler.ts');
    const server = createServer();
    const started = new UploadServer(server);
    server.on('request', (request, response) => {
      started.#underWay++;
      void web(request, response, pace).finally(() => started.#underWay--);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async send(
    key: string,
    body: Uint8Array | ReadableStream,
    headers: Record<string, string> = {},
  ): Promise<UploadAnswer> {
    const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/connect/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': formType, ...headers },
      body: body as RequestInit['body'],
      duplex: 'half',
    });
    return { status: response.status, json: await response.json() };
  }

  /** Opens a connection and sends the given head of an upload. */
  async open(key: string, lines: readonly string[], type = formType): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = ['POST /api/v1/connect/attachments HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    socket.write([...head, `Content-Type: ${type}`, ...lines, '', ''].join('\r\n'));
    return socket;
  }

  /** Resolves when every request has ended, including those of disconnected clients. */
  async settled(): Promise<void> {
    // A sent request takes some turns of the event loop to arrive.
    for (let calm = 0; calm < 10; calm++) {
      await pause(2);
      if (this.#underWay > 0) calm = 0;
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
