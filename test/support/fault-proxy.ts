import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { PlannedFaults } from './planned-faults.ts';

/** What can go wrong with one call of the table. */
export type Fault =
  /** Answered without being done, as `{ type: 'ThrottlingException', status: 400 }`. */
  | { readonly kind: 'error'; readonly type: string; readonly status: number; readonly more?: object }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Done at once, and answered when `meanwhile` is over. */
  | { readonly kind: 'late'; readonly meanwhile: () => Promise<unknown> }
  /** No answer, ever. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call has reached the engine. */
  | { readonly kind: 'reset before' }
  /** The call is done, then the connection breaks; `meanwhile` runs in between. */
  | { readonly kind: 'reset after'; readonly meanwhile?: () => Promise<unknown> }
  /** The call is done, half of the reply arrives, then the connection breaks, stalls, or ends as if that were all. */
  | { readonly kind: 'cut reply'; readonly end: 'broken' | 'stalled' | 'clean' }
  /** Every second part of a BatchGetItem or BatchWriteItem, or every one, comes back as unprocessed. */
  | { readonly kind: 'unprocessed'; readonly parts: 'half' | 'all' };

// biome-ignore lint/suspicious/noExplicitAny: the body of a call is whatever the SDK makes of it.
type Input = any;

/** A call as it arrived. */
export interface TableCall {
  readonly operation: string;
  readonly input: Input;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Stands between the SDK and the engine, lets things go wrong when told to, and remembers every call. */
export class FaultProxy {
  readonly #server: Server;
  readonly #engine: string;
  readonly #faults = new PlannedFaults<Fault>();
  calls: TableCall[] = [];

  private constructor(engine: string) {
    this.#engine = engine;
    this.#server = createServer((call, reply) => {
      this.#handle(call, reply).catch(() => call.socket.destroy());
    });
  }

  static async start(engine: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(engine);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param operation `UpdateItem`, or `any` @param about only calls that mention this */
  plan(operation: string, fault: Fault, times?: number, about?: string): void {
    this.#faults.add(operation, fault, { times, about });
  }

  /** Ends all faults, and forgets the calls. */
  heal(): void {
    this.#faults.end();
    this.calls = [];
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(call: IncomingMessage, reply: ServerResponse): Promise<void> {
    const operation = String(call.headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = await buffer(call);
    const input: Input = JSON.parse(body.toString());
    this.calls.push({ operation, input });
    const fault = this.#faults.next(operation, (about) => body.includes(about));
    if (fault) return this.#fail(fault, call, reply, body);
    answer(reply, await this.#forward(call, body));
  }

  async #fail(fault: Fault, call: IncomingMessage, reply: ServerResponse, body: Buffer): Promise<void> {
    switch (fault.kind) {
      case 'hang':
        return;
      case 'reset before':
        call.socket.resetAndDestroy();
        return;
      case 'error':
        answer(reply, errorReply(fault));
        return;
      case 'delay':
        await pause(fault.milliseconds);
        answer(reply, await this.#forward(call, body));
        return;
      case 'late': {
        const done = await this.#forward(call, body);
        await fault.meanwhile();
        answer(reply, done);
        return;
      }
      case 'reset after':
        await this.#forward(call, body);
        await fault.meanwhile?.();
        call.socket.resetAndDestroy();
        return;
      case 'cut reply':
        cut(reply, await this.#forward(call, body), fault.end);
        return;
      case 'unprocessed':
        answer(reply, await this.#leaveUnprocessed(fault.parts, call, body));
    }
  }

  async #leaveUnprocessed(which: 'half' | 'all', call: IncomingMessage, body: Buffer): Promise<Reply> {
    const input: Input = JSON.parse(body.toString());
    const [[table = '', wanted] = []]: [string?, Input?][] = Object.entries(input.RequestItems);
    const isWrite = Array.isArray(wanted);
    const parts: Input[] = isWrite ? wanted : wanted.Keys;
    const requestOf = (some: Input[]) =>
      some.length === 0 ? {} : { [table]: isWrite ? some : { ...wanted, Keys: some } };
    const isDone = (_: Input, index: number) => which === 'half' && index % 2 === 0;
    const left = requestOf(parts.filter((part, index) => !isDone(part, index)));
    const unprocessed = isWrite ? { UnprocessedItems: left } : { UnprocessedKeys: left };
    if (which === 'all') return jsonReply(200, { Responses: {}, ...unprocessed });
    const part = { ...input, RequestItems: requestOf(parts.filter(isDone)) };
    const reply = await this.#forward(call, Buffer.from(JSON.stringify(part)));
    return jsonReply(reply.status, { ...JSON.parse(reply.body.toString()), ...unprocessed });
  }

  async #forward({ headers }: IncomingMessage, body: Buffer): Promise<Reply> {
    const forwarded = request(this.#engine, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
    });
    forwarded.end(body);
    const [response]: IncomingMessage[] = await once(forwarded, 'response');
    if (!response) throw new Error('The engine has not answered.');
    const { 'content-type': type = '', 'x-amz-crc32': crc } = response.headers;
    const checksum = typeof crc === 'string' ? { 'x-amz-crc32': crc } : undefined;
    const status = response.statusCode ?? 500;
    return { status, headers: { 'content-type': type, ...checksum }, body: await buffer(response) };
  }
}

function answer(reply: ServerResponse, { status, headers, body }: Reply): void {
  reply.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

function cut(reply: ServerResponse, { status, headers, body }: Reply, end: 'broken' | 'stalled' | 'clean'): void {
  const half = body.subarray(0, Math.floor(body.length / 2));
  reply.writeHead(status, { ...headers, 'content-length': end === 'clean' ? half.length : body.length });
  reply.write(half, () => {
    if (end === 'broken') reply.destroy();
    if (end === 'clean') reply.end();
  });
}

const errorReply = ({ type, status, more }: Extract<Fault, { readonly kind: 'error' }>): Reply =>
  jsonReply(status, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'A planned fault.', ...more });

/** Without a checksum: it would be that of another reply. */
const jsonReply = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(body)),
});
