import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { dueWorkPrefix } from '#lib/table/due/keys.ts';
import { AwsLimits } from './aws-limits.ts';
import { PlannedFaults } from './planned-faults.ts';
import type { Input, TableCall } from './table-call.ts';

/** A fault of one call of the table. */
export type Fault =
  /** An error response without execution, such as `{ type: 'ThrottlingException', status: 400 }`. */
  | { readonly kind: 'error'; readonly type: string; readonly status: number; readonly more?: object }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Executed immediately; the response waits for the end of `meanwhile`. */
  | { readonly kind: 'late'; readonly meanwhile: () => Promise<unknown> }
  /** Executed; the response has another output. */
  | { readonly kind: 'rewritten'; readonly by: (output: Input) => Input }
  /** There is never a response. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call reaches the engine. */
  | { readonly kind: 'reset before' }
  /** Executed; then `meanwhile` runs, and the connection breaks. */
  | { readonly kind: 'reset after'; readonly meanwhile?: () => Promise<unknown> }
  /** Executed; after half of the response, the connection breaks, stalls or ends early. */
  | { readonly kind: 'cut reply'; readonly end: 'broken' | 'stalled' | 'clean' }
  /** Half of a BatchGetItem or BatchWriteItem, or all of it, is returned as unprocessed. */
  | { readonly kind: 'unprocessed'; readonly parts: 'half' | 'all' };

/** More turns of the event loop than there are between the response to a call and the next call. */
export const idleTurns = 20;

interface ProxiedCall extends TableCall {
  readonly call: IncomingMessage;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A proxy between the SDK and the engine. It injects planned faults and records every call. */
export class FaultProxy {
  readonly #server: Server;
  readonly #engine: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #faults = new PlannedFaults<Fault>();
  #limits: AwsLimits | undefined;
  #inFlight = 0;
  calls: TableCall[] = [];
  /**
   * The fault of writes that record the use of a key. No request waits for them, so other faults skip them and `calls`
   * lacks them.
   */
  noteFault: Fault | undefined;
  /** The calls that the imitated limits have refused. */
  refusals: TableCall[] = [];
  /** Returns a fault for each call without a planned one. */
  chance: (call: TableCall) => Fault | undefined = () => undefined;

  private constructor(engine: string) {
    this.#engine = engine;
    this.#server = createServer((call, reply) => {
      this.#inFlight++;
      const closed = new Promise((resolve) => reply.once('close', resolve));
      const handled = this.#handle(call, reply).catch(() => call.socket.destroy());
      // A delayed call reaches the engine even if its client waits no longer.
      void Promise.all([closed, handled]).then(() => this.#inFlight--);
    });
  }

  static async start(engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''): Promise<FaultProxy> {
    const proxy = new FaultProxy(engine);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param operation `UpdateItem`, or `any` @param about matches only calls that contain this text */
  plan(operation: string, fault: Fault, times?: number, about?: string): void {
    this.#faults.add(operation, fault, { times, about });
  }

  /** From now on, applies limits that DynamoDB has on AWS and the local engine lacks. */
  imitateAws(limits = new AwsLimits()): void {
    this.#limits = limits;
  }

  /** Ends all faults and limits, and clears the calls. */
  heal(): void {
    this.#faults.end();
    this.noteFault = undefined;
    this.chance = () => undefined;
    this.#limits = undefined;
    this.calls = [];
    this.refusals = [];
  }

  /**
   * Clears the calls after the last of them has ended. A refused request is answered while its early reads still run. A
   * test that counts the calls of the next request must not count them.
   */
  async forget(): Promise<void> {
    await this.calm();
    this.calls = [];
  }

  /** Resolves when all calls have ended, except those that the test delays, and no call follows from them. */
  async calm(held = 0): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      await pause(2);
      if (this.#inFlight > held) turns = 0;
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }

  async #handle(call: IncomingMessage, reply: ServerResponse): Promise<void> {
    const operation = String(call.headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = await buffer(call);
    const proxied: ProxiedCall = { operation, input: JSON.parse(body.toString()), call, body };
    // One of many writers sets such a mark at random, so tests must not count it or make it fail.
    if (isMarkOfLongLog(proxied)) return answer(reply, await this.#reply(proxied));
    if (!isNoteOfUse(proxied)) this.calls.push({ operation, input: proxied.input });
    const fault = isNoteOfUse(proxied) ? this.noteFault : this.#faultOf(proxied);
    if (fault) return this.#fail(fault, proxied, reply);
    answer(reply, await this.#reply(proxied));
  }

  #faultOf(proxied: ProxiedCall): Fault | undefined {
    return this.#faults.next(proxied.operation, (about) => proxied.body.includes(about)) ?? this.chance(proxied);
  }

  async #fail(fault: Fault, proxied: ProxiedCall, reply: ServerResponse): Promise<void> {
    const { socket } = proxied.call;
    switch (fault.kind) {
      case 'hang':
        return;
      case 'reset before':
        socket.resetAndDestroy();
        return;
      case 'error':
        answer(reply, errorReply(fault));
        return;
      case 'delay':
        await pause(fault.milliseconds);
        answer(reply, await this.#reply(proxied));
        return;
      case 'late': {
        const done = await this.#reply(proxied);
        await fault.meanwhile();
        answer(reply, done);
        return;
      }
      case 'rewritten': {
        const { status, body } = await this.#reply(proxied);
        answer(reply, jsonReply(status, fault.by(JSON.parse(body.toString()))));
        return;
      }
      case 'reset after':
        await this.#reply(proxied);
        await fault.meanwhile?.();
        socket.resetAndDestroy();
        return;
      case 'cut reply':
        cut(reply, await this.#reply(proxied), fault.end);
        return;
      case 'unprocessed':
        answer(reply, await this.#replyInPart(proxied, (index) => fault.parts === 'half' && index % 2 === 0));
    }
  }

  /** The engine's reply, subject to the limits of AWS if they are imitated. */
  async #reply(proxied: ProxiedCall): Promise<Reply> {
    const verdict = this.#limits?.judge(proxied);
    if (!verdict) return this.#forward(proxied.call, proxied.body);
    if ('refusal' in verdict) {
      this.refusals.push({ operation: proxied.operation, input: proxied.input });
      return errorReply(verdict.refusal);
    }
    let reply: Reply | undefined;
    try {
      const isBatch = proxied.operation.startsWith('Batch');
      reply = isBatch
        ? await this.#replyInPart(proxied, verdict.isDone)
        : await this.#forward(proxied.call, proxied.body);
      return reply;
    } finally {
      await verdict.end(reply?.status === 200 ? JSON.parse(reply.body.toString()) : undefined);
    }
  }

  /** @param isDone true for the indices of a batch that are processed; the others are returned as unprocessed */
  async #replyInPart({ call, body, input }: ProxiedCall, isDone: (index: number) => boolean): Promise<Reply> {
    const [[table = '', wanted] = []]: [string?, Input?][] = Object.entries(input.RequestItems);
    const isWrite = Array.isArray(wanted);
    const parts: Input[] = isWrite ? wanted : wanted.Keys;
    const done = parts.filter((_, index) => isDone(index));
    if (done.length === parts.length) return this.#forward(call, body);
    const requestOf = (some: Input[]) =>
      some.length === 0 ? {} : { [table]: isWrite ? some : { ...wanted, Keys: some } };
    const left = requestOf(parts.filter((_, index) => !isDone(index)));
    const unprocessed = isWrite ? { UnprocessedItems: left } : { UnprocessedKeys: left };
    if (done.length === 0) return jsonReply(200, { Responses: {}, ...unprocessed });
    const reply = await this.#forward(call, Buffer.from(JSON.stringify({ ...input, RequestItems: requestOf(done) })));
    return jsonReply(reply.status, { ...JSON.parse(reply.body.toString()), ...unprocessed });
  }

  async #forward({ headers }: IncomingMessage, body: Buffer): Promise<Reply> {
    const forwarded = request(this.#engine, {
      method: 'POST',
      agent: this.#agent,
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

const isNoteOfUse = ({ operation, input }: TableCall): boolean =>
  operation === 'PutItem' && String(input.Item.pk.S).startsWith('USED#');

const isMarkOfLongLog = ({ operation, input }: TableCall): boolean =>
  operation === 'PutItem' && String(input.Item.pk.S).startsWith(dueWorkPrefix('compaction'));

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

const errorReply = ({ type, status, more }: Omit<Extract<Fault, { readonly kind: 'error' }>, 'kind'>): Reply =>
  jsonReply(status, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'A planned fault.', ...more });

/** Without the checksum, which belongs to another reply. */
const jsonReply = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(body)),
});
