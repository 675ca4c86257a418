import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pickOperation } from '#lib/local/s3/operations.ts';
import { readRequest } from '#lib/local/s3/s3-request.ts';
import { BundleProcess } from './bundle-process.ts';

const tableWrites = ['PutItem', 'UpdateItem', 'BatchWriteItem', 'TransactWriteItems'];
const partWrites = ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload', 'AbortMultipartUpload'];
const writes = new Set([...tableWrites, ...partWrites, 'PutObject', 'DeleteObject', 'SendEmail']);

/** A moment in the life of a process: before or after a number of writes. A sent mail is a write, too. */
export interface KillPoint {
  readonly write: number;
  readonly when: 'before' | 'after';
}

interface Targets {
  readonly table: string;
  readonly mail?: string;
  /** The address of a bucket proxy; by default, the bucket is used directly. */
  readonly bucket?: string;
}

/** An answer, from the client's view. */
interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

/**
 * Runs bundled functions in a process that is killed at planned moments. All its writes pass through here. After each
 * kill, a new process starts with empty memory.
 */
export class KillableFunctions {
  readonly #server: Server;
  readonly #targets: Targets;
  readonly #deaths: KillPoint[];
  readonly #seen: string[] = [];
  readonly #passing = new Set<Promise<unknown>>();
  #process: BundleProcess | undefined;
  #writes = 0;

  private constructor(targets: Targets, deaths: readonly KillPoint[]) {
    this.#targets = targets;
    this.#deaths = [...deaths];
    this.#server = createServer((call, reply) => {
      const passing = this.#pass(call, reply).catch(() => call.socket.destroy());
      this.#passing.add(passing);
      void passing.then(() => this.#passing.delete(passing));
    });
  }

  /** @param deaths the planned kills in order; the process after the last kill stays alive */
  static async start(targets: Targets, deaths: readonly KillPoint[]): Promise<KillableFunctions> {
    const functions = new KillableFunctions(targets, deaths);
    await once(functions.#server.listen(0, '127.0.0.1'), 'listening');
    return functions;
  }

  /** The number of remaining kills. */
  get deathsLeft(): number {
    return this.#deaths.length;
  }

  /** The moments of the kills so far, such as `after claiming`. */
  get deathsSeen(): readonly string[] {
    return this.#seen;
  }

  /**
   * Resolves when the process has no unfinished work.
   * @returns the result of a function, or undefined if its process is killed first
   * @throws its errors
   */
  async invoke(file: string, event: object): Promise<unknown> {
    const result = await this.#living().ask({ file, event });
    if (result === undefined) await Promise.all(this.#passing);
    return result;
  }

  /** Like `invoke`, for a request over plain HTTP. */
  async send(file: string, path: string, request: RequestInit): Promise<Answer | undefined> {
    const living = this.#living();
    const port = await living.ask({ file });
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
      return { statusCode: response.status, body: await response.text() };
    } catch {
      await living.exited;
      return undefined;
    }
  }

  async stop(): Promise<void> {
    await this.#process?.kill();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #living(): BundleProcess {
    if (this.#process?.isAlive) return this.#process;
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const bucket = this.#targets.bucket === undefined ? undefined : { AWS_ENDPOINT_URL_S3: url };
    this.#writes = 0;
    this.#process = new BundleProcess({ AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ENDPOINT_URL_SESV2: url, ...bucket });
    return this.#process;
  }

  async #pass(call: IncomingMessage, reply: ServerResponse): Promise<void> {
    const living = this.#process;
    const { operation, target } = this.#destination(call);
    const body = await buffer(call);
    if (!living?.isAlive) return void call.socket.destroy();
    const death = writes.has(operation) && ++this.#writes === this.#deaths[0]?.write ? this.#deaths.shift() : undefined;
    if (death) this.#seen.push(`${death.when} ${nameOf(operation, body)}`);
    if (death?.when === 'before') return void (await living.kill());
    const { response, content } = await forward(call, target, body);
    if (death?.when === 'after') return void (await living.kill());
    reply.writeHead(response.statusCode ?? 500, response.headers).end(content);
  }

  #destination(call: IncomingMessage): { readonly operation: string; readonly target: string | undefined } {
    const { table, mail, bucket } = this.#targets;
    const tableOperation = call.headers['x-amz-target'];
    if (tableOperation) return { operation: String(tableOperation).split('.').at(-1) ?? '', target: table };
    if (call.url?.startsWith('/v2/email')) return { operation: 'SendEmail', target: mail };
    return { operation: pickOperation(readRequest(call)).name, target: bucket };
  }
}

async function forward({ method, headers, url = '/' }: IncomingMessage, target: string | undefined, body: Buffer) {
  const forwarded = request(target + url, { method, agent: false, headers });
  forwarded.end(body);
  const [response]: IncomingMessage[] = await once(forwarded, 'response');
  if (!response) throw new Error('There was no answer.');
  return { response, content: await buffer(response) };
}

/** The purpose of a write of a submit or a delivery; for a write to the bucket, its operation. */
function nameOf(operation: string, body: Buffer): string {
  if (!tableWrites.includes(operation) && operation !== 'SendEmail') return operation;
  if (operation === 'TransactWriteItems') return body.includes('"Delete":') ? 'finishing' : 'storing';
  return operation === 'SendEmail' ? 'mailing' : 'claiming';
}
