import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer, type HttpAnswer } from './answer.ts';

const lingerMilliseconds = 1_000;

/** The open connections of a server, with what is still to be answered on each. */
export class Connections {
  readonly #unanswered = new Map<Socket, Set<ServerResponse>>();
  readonly #refused = new WeakSet<Socket>();
  #finishing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#unanswered.set(socket, new Set());
      socket.once('close', () => this.#unanswered.delete(socket));
    });
    server.on('request', (request, response) => {
      const unanswered = this.#unanswered.get(request.socket);
      unanswered?.add(response);
      response.once('close', () => unanswered?.delete(response));
      if (this.#finishing) lastOfConnection(response);
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket as Socket));
    server.on('timeout', (socket: Socket) => this.#onSilence(socket));
    // Without a listener Node drops a CONNECT unanswered.
    server.on('connect', (_, socket) => this.#refuse(new Error('CONNECT'), socket as Socket));
  }

  /**
   * Waits until the requests before this one on its connection are answered: it may ask for what they change, and
   * their answers have to be out of memory.
   * @returns false when the connection has ended by then, so that nobody waits for an answer any more
   */
  async turnOf({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const unanswered = [...(this.#unanswered.get(socket) ?? [])];
    const before = unanswered[unanswered.indexOf(response) - 1];
    if (before) await new Promise((resolve) => before.once('close', resolve));
    return socket.writable;
  }

  /** Ends the connections that nobody waits on, also those that never asked anything, and lets the others end. */
  finish(): void {
    this.#finishing = true;
    for (const [socket, unanswered] of this.#unanswered) {
      if (unanswered.size === 0) socket.destroy();
      for (const response of unanswered) lastOfConnection(response);
    }
  }

  /** A client that takes no more of its answer would have it held in memory for ever; one that waits for it may wait. */
  #onSilence(socket: Socket): void {
    const [current] = this.#unanswered.get(socket) ?? [];
    if (!current || current.headersSent) socket.destroy();
    else if (!current.req.complete) this.#refuse(requestTimeout(), socket);
  }

  /** Answers what is no HTTP once everything before it on the connection is answered, and hangs up. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    // The parser complains again about every further piece.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const hangUp = () => {
      socket.end(onTheWire(refusalOf(error)));
      // Closing at once would reset the connection under a client that still sends, and lose the answer.
      setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
    };
    const before = [...(this.#unanswered.get(socket) ?? [])].at(-1);
    if (!before || (!before.req.complete && !before.headersSent)) hangUp();
    else before.once('close', hangUp);
  }
}

function lastOfConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

const requestTimeout = (): NodeJS.ErrnoException =>
  Object.assign(new Error('The request stalled.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function refusalOf({ code }: NodeJS.ErrnoException): HttpAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return errorAnswer(408, 'request_timeout', 'The request did not arrive completely in time.');
  }
  if (code === 'HPE_INVALID_URL') {
    const message = 'The address has characters that must be percent-encoded, such as letters beyond ASCII.';
    return errorAnswer(400, 'invalid_request', message);
  }
  return errorAnswer(400, 'invalid_request', 'This is not a valid HTTP request.');
}

export const headersTooLarge = (): HttpAnswer =>
  errorAnswer(431, 'headers_too_large', 'The request line and headers together are too large.');

const statusTexts: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function onTheWire({ status, headers, body }: HttpAnswer): string {
  const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${statusTexts[status]}\r\n${head}\r\n${body}`;
}
