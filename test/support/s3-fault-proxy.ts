import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pickOperation } from '#lib/local/s3/operations.ts';
import { readRequest } from '#lib/local/s3/s3-request.ts';
import { type Plan, PlannedFaults } from './planned-faults.ts';

/** A fault of one call of the bucket. */
export type S3Fault =
  /** An error response without execution, such as `{ code: 'SlowDown', status: 503 }`. */
  | { readonly kind: 'error'; readonly code: string; readonly status: number }
  /** There is never a response; the body is read. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call reaches the engine. */
  | { readonly kind: 'reset before' }
  /** Executed; then the connection breaks. */
  | { readonly kind: 'reset after' }
  /** Executed immediately; the response waits for the end of `meanwhile`. */
  | { readonly kind: 'late'; readonly meanwhile: () => Promise<unknown> }
  /**
   * Executed immediately; the response comes after this time in milliseconds. Until then, a few bytes arrive now and
   * then.
   */
  | { readonly kind: 'drip'; readonly milliseconds: number }
  /** The connection breaks, stalls or pauses after this part of the response body. */
  | {
      readonly kind: 'cut reply';
      readonly bytes: number;
      readonly end: 'broken' | 'stalled' | { readonly pause: number };
    };

/** A call as it arrived. */
export interface S3Call {
  readonly operation: string;
  readonly key: string;
}

/** A proxy between the SDK and the embedded S3. It injects planned faults and records every call. */
export class S3FaultProxy {
  readonly #server: Server;
  readonly #engine: string;
  readonly #faults = new PlannedFaults<S3Fault>();
  calls: S3Call[] = [];

  private constructor(engine: string) {
    this.#engine = engine;
    this.#server = createServer((call, reply) => {
      this.#handle(call, reply).catch(() => call.socket.destroy());
    });
  }

  static async start(engine = process.env['AWS_ENDPOINT_URL_S3'] ?? ''): Promise<S3FaultProxy> {
    const proxy = new S3FaultProxy(engine);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param operation `PutObject`, or `any` */
  plan(operation: string, fault: S3Fault, plan: Plan = {}): void {
    this.#faults.add(operation, fault, plan);
  }

  /** Ends all faults and clears the calls. */
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
    const read = readRequest(call);
    const { name: operation } = pickOperation(read);
    this.calls.push({ operation, key: read.key });
    const fault = this.#faults.next(operation, (about) => read.key.includes(about));
    if (fault) return this.#fail(fault, call, reply);
    await pass(await this.#forward(call), reply);
  }

  async #fail(fault: S3Fault, call: IncomingMessage, reply: ServerResponse): Promise<void> {
    switch (fault.kind) {
      case 'hang':
        call.resume();
        return;
      case 'reset before':
        call.socket.resetAndDestroy();
        return;
      case 'error':
        call.resume();
        await once(call, 'end');
        reply.writeHead(fault.status, { 'content-type': 'application/xml' });
        reply.end(`<Error><Code>${fault.code}</Code><Message>A planned fault.</Message></Error>`);
        return;
      case 'late': {
        const done = await this.#forward(call);
        await fault.meanwhile();
        await pass(done, reply);
        return;
      }
      case 'drip': {
        const done = await this.#forward(call);
        const drops = setInterval(() => reply.writeProcessing(), 500);
        await pause(fault.milliseconds);
        clearInterval(drops);
        await pass(done, reply);
        return;
      }
      case 'reset after':
        // An unread response would keep the process alive.
        (await this.#forward(call)).destroy();
        call.socket.resetAndDestroy();
        return;
      case 'cut reply':
        await cut(await this.#forward(call), reply, fault);
    }
  }

  async #forward(call: IncomingMessage): Promise<IncomingMessage> {
    const { method = '', url = '', headers } = call;
    // With the host of its signature.
    const forwarded = request(this.#engine + url, { method, agent: false, headers });
    call.pipe(forwarded);
    call.once('close', () => call.complete || forwarded.destroy());
    const [response]: IncomingMessage[] = await once(forwarded, 'response');
    if (!response) throw new Error('The engine has not answered.');
    return response;
  }
}

async function pass(response: IncomingMessage, reply: ServerResponse): Promise<void> {
  reply.writeHead(response.statusCode ?? 500, response.headers);
  response.pipe(reply);
  response.once('error', () => reply.destroy());
  reply.once('close', () => response.destroy());
}

async function cut(
  response: IncomingMessage,
  reply: ServerResponse,
  { bytes, end }: Extract<S3Fault, { kind: 'cut reply' }>,
): Promise<void> {
  reply.writeHead(response.statusCode ?? 500, response.headers).flushHeaders();
  let left = bytes;
  let isCut = false;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (!isCut && chunk.length >= left) {
      isCut = true;
      await new Promise((done) => reply.write(chunk.subarray(0, left), done));
      if (end === 'broken') return void reply.destroy();
      if (end === 'stalled') return;
      await pause(end.pause);
      reply.write(chunk.subarray(left));
    } else {
      reply.write(chunk);
    }
    left -= chunk.length;
  }
  reply.end();
}
