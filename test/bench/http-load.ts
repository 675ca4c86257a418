import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const answerMillisecondsMax = 30_000;
const triesMax = 4;

export interface HttpCall {
  readonly method: string;
  /** With its query, as it goes over the wire. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface LoadOptions {
  readonly connections: number;
  readonly milliseconds: number;
  /** Goes on until there are so many, but at most five times as long: on a busy machine few are made in a short time. */
  readonly requestsMin?: number;
}

export interface LoadResult {
  readonly milliseconds: number;
  /** How long each answer took. */
  readonly latencies: readonly number[];
}

/** Connections to a server on this machine that stay open between calls. */
export class HttpClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.#port = port;
  }

  async call({ method, path, headers = {}, body }: HttpCall): Promise<HttpReply> {
    const call = request({
      host: '127.0.0.1',
      port: this.#port,
      agent: this.#agent,
      timeout: answerMillisecondsMax,
      method,
      path,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    call.on('timeout', () => call.destroy(new Error(`${method} ${path} was not answered in time.`)));
    call.end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  }

  /**
   * A busy machine may make a service refuse with 503: the call is repeated, and counts as one.
   * @throws when the answer is not 200 at last: a refusal costs little and would be measured as speed
   */
  async callSuccessfully(call: HttpCall): Promise<HttpReply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.call(call);
      if (reply.status === 200) return reply;
      if (reply.status === 503 && tries < triesMax) continue;
      throw new Error(`${call.method} ${call.path} answered ${reply.status}: ${reply.body.toString().slice(0, 300)}`);
    }
  }

  /** Calls on several connections, on each as soon as the call before is answered, until the time is up. */
  async load(call: HttpCall, { connections, milliseconds, requestsMin = 0 }: LoadOptions): Promise<LoadResult> {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const isOver = (elapsed: number): boolean =>
      elapsed >= milliseconds && (latencies.length >= requestsMin || elapsed >= 5 * milliseconds);
    const lane = async (): Promise<void> => {
      while (!isOver(performance.now() - startedAt)) {
        const calledAt = performance.now();
        await this.callSuccessfully(call);
        latencies.push(performance.now() - calledAt);
      }
    };
    await Promise.all(Array.from({ length: connections }, lane));
    return { milliseconds: performance.now() - startedAt, latencies };
  }

  close(): void {
    this.#agent.destroy();
  }
}
