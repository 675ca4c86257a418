import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer, type HttpAnswer } from './http-server.ts';

const lingerMilliseconds = 1_000;

/** The open connections of a server, each with its unanswered requests. */
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
      if (this.#finishing) closeAfter(response);
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket as Socket));
    server.on('timeout', (socket: Socket) => this.#onSilence(socket));
    // Without a listener Node does not answer a CONNECT.
    server.on('connect', (_, socket) => this.#refuse(new Error('CONNECT'), socket as Socket));
  }

  /**
   * Waits until the earlier requests of the same connection are answered. A request may depend on their writes, and
   * only one answer at a time should be in memory.
   * @returns false when the connection has ended
   */
  async waitForEarlierRequests({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const unanswered = [...(this.#unanswered.get(socket) ?? [])];
    const previous = unanswered[unanswered.indexOf(response) - 1];
    if (previous) await new Promise((resolve) => previous.once('close', resolve));
    return socket.writable;
  }

  /** Ends idle connections now, and the others after their last answer. */
  finish(): void {
    this.#finishing = true;
    for (const [socket, unanswered] of this.#unanswered) {
      if (unanswered.size === 0) socket.destroy();
      for (const response of unanswered) closeAfter(response);
    }
  }

  /**
   * A client that stops reading would keep its answer in memory for ever, so it is disconnected. A client that waits
   * for its answer may wait.
   */
  #onSilence(socket: Socket): void {
    const [current] = this.#unanswered.get(socket) ?? [];
    if (!current || current.headersSent) socket.destroy();
    else if (!current.req.complete) this.#refuse(requestTimeout(), socket);
  }

  /** Answers invalid HTTP after the earlier requests of the connection are answered, and disconnects. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    // The parser reports an error for every further chunk.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const answerAndDisconnect = () => {
      socket.end(encodeAnswer(refusalOf(error)));
      // An immediate close would reset the connection of a client that still sends, and lose the answer.
      setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
    };
    const unanswered = [...(this.#unanswered.get(socket) ?? [])];
    const last = unanswered.at(-1);
    // A request whose body is invalid is among the unanswered ones. It gets this answer.
    const isRefused = last && !last.req.complete && !last.headersSent;
    const previous = isRefused ? unanswered.at(-2) : last;
    if (previous) previous.once('close', answerAndDisconnect);
    else answerAndDisconnect();
  }
}

function closeAfter(response: ServerResponse): void {
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

function encodeAnswer({ status, headers, body }: HttpAnswer): string {
  const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
