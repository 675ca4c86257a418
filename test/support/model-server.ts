import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Encodes a model's output for a protocol. */
export interface Wire {
  readonly contentType: string;
  /** The data before the first word. */
  readonly begin: readonly Buffer[];
  text(piece: string): Buffer;
  /** Reasoning that the server has separated from the text. */
  thought(piece: string): Buffer;
  toolCall(call: CalledTool, index: number): readonly Buffer[];
  /** Includes the token count. */
  finish(reason: 'stop' | 'length' | 'tool_calls' | 'filtered'): readonly Buffer[];
  /** Valid data without a meaning, and an error after a successful start. */
  readonly corrupt: Buffer;
  readonly failure: Buffer;
  status(status: number, words: string): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The response to a call. */
export type Script =
  | {
      readonly think?: readonly string[];
      readonly say: readonly string[];
      readonly call?: readonly CalledTool[];
      /** The end of the reply. @default complete */
      readonly end?:
        | 'length'
        | 'filtered'
        | 'tool_calls'
        | 'no mark'
        | 'stall'
        | 'reset'
        | 'corrupt'
        | 'failure'
        | 'mark, then stall'
        | 'mark, then chatter'
        | 'mark, then reset';
      /** Milliseconds before each piece. */
      readonly pause?: number;
      /** The reply does not end before this resolves. */
      readonly until?: Promise<void>;
    }
  | {
      readonly status: number;
      /** The text of the refusal. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly raw: readonly (string | Buffer)[] }
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members that it reads.
  | ((body: any) => Script)
  | 'never answer'
  | 'reset at once';

/** Upstream text that must never reach a client or a log. */
export const upstreamText = 'upstream-internals sk-live-0123456789';

export interface ReceivedModelCall {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its request.
  readonly body: any;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersion: string;
  /** Resolves when the connection is closed before the answer is complete. */
  readonly abandoned: Promise<void>;
}

export interface ModelServer {
  readonly url: string;
  readonly calls: readonly ReceivedModelCall[];
  /** The answers to the next calls, one each; the last one is used again. */
  answer(...scripts: readonly Script[]): void;
  close(): Promise<void>;
}

/** A server of a model's protocol that can also send wrong responses. */
export async function startModelServer(wire: Wire): Promise<ModelServer> {
  const calls: ReceivedModelCall[] = [];
  let scripts: readonly Script[] = [{ say: ['Hello.'] }];
  const server = createServer(async (request, response) => {
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => response.writableFinished || resolve());
    });
    const body = JSON.parse(await textOf(request));
    const { url: path = '', headers, httpVersion } = request;
    calls.push({ body, path, headers, httpVersion, abandoned });
    const [script = 'never answer', ...rest] = scripts;
    if (rest.length > 0) scripts = rest;
    await play(script, wire, response, body).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (...next) => {
      scripts = next;
      calls.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function play(script: Script, wire: Wire, response: ServerResponse, body: unknown): Promise<void> {
  if (typeof script === 'function') return play(script(body), wire, response, body);
  if (script === 'never answer') return;
  if (script === 'reset at once') return void response.socket?.resetAndDestroy();
  if ('status' in script) {
    const { headers, body } = wire.status(script.status, script.text ?? upstreamText);
    response.writeHead(script.status, { ...headers, ...script.headers }).end(body);
    return;
  }
  response.writeHead(200, { 'content-type': wire.contentType });
  if ('raw' in script) return playRaw(script.raw, response);
  const { think = [], say, call = [], end, pause: milliseconds = 0, until } = script;
  for (const piece of [
    ...wire.begin,
    ...think.map(wire.thought),
    ...say.map(wire.text),
    ...call.flatMap(wire.toolCall),
  ]) {
    if (milliseconds > 0) await pause(milliseconds);
    response.write(piece);
  }
  await until;
  const usual = call.length > 0 ? 'tool_calls' : 'stop';
  const reason = end === 'length' || end === 'filtered' || end === 'tool_calls' ? end : usual;
  await ending(end, wire, response, wire.finish(reason));
}

/** Sends each piece in a separate packet, as far as possible. */
async function playRaw(pieces: readonly (string | Buffer)[], response: ServerResponse): Promise<void> {
  for (const piece of pieces) {
    response.write(piece);
    await pause(2);
  }
  response.end();
}

/** A reset discards unread data of the client, so the event loop turns more often than reading takes. */
async function waitUntilRead(): Promise<void> {
  for (let turns = 0; turns < 25; turns++) await pause(2);
}

type Ending = Extract<Script, { readonly say: unknown }>['end'];

async function ending(end: Ending, wire: Wire, response: ServerResponse, mark: readonly Buffer[]): Promise<void> {
  switch (end) {
    case 'stall':
      return;
    case 'no mark':
      response.end();
      return;
    case 'reset':
      await waitUntilRead();
      response.socket?.resetAndDestroy();
      return;
    case 'corrupt':
      response.end(wire.corrupt);
      return;
    case 'failure':
      response.end(wire.failure);
      return;
    case 'mark, then chatter':
      response.write(Buffer.concat(mark.slice(0, 1)));
      while (!response.destroyed) {
        response.write(Buffer.concat(wire.begin));
        await pause(20);
      }
      return;
    case 'mark, then stall':
    case 'mark, then reset':
      response.write(Buffer.concat(mark.slice(0, 1)));
      await waitUntilRead();
      if (end === 'mark, then reset') response.socket?.resetAndDestroy();
      return;
    default:
      response.end(Buffer.concat(mark));
  }
}
