import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const answerMillisecondsMax = 30_000;
const triesMax = 4;

export interface HttpCall {
  readonly method: string;
  /** The path with its query, as sent. */
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
  /**
   * Continues until there is this number of calls, but at most for five times the duration. A busy machine makes few
   * calls in a short time.
   */
  readonly requestsMin?: number;
}

export interface LoadResult {
  readonly milliseconds: number;
  /** The duration of each call. */
  readonly latencies: readonly number[];
}

/** Persistent connections to a server on this machine. */
export class HttpClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.#port = port;
  }

  async call(wanted: HttpCall): Promise<HttpReply> {
    const { method, path, headers = {}, body } = wanted;
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
    const [response] = (await once(call, 'response').catch((error: NodeJS.ErrnoException) => {
      // A service may end an idle connection at the moment at which a call uses it.
      if (call.reusedSocket && error.code === 'ECONNRESET') return [];
      throw error;
    })) as [IncomingMessage?];
    if (!response) return this.call(wanted);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
  }

  /**
   * Repeats a call that a busy machine makes the service refuse with 503, and counts it as one.
   * @throws when the answer is still not 200: a refusal is cheap and would be measured as speed
   */
  async callSuccessfully(call: HttpCall): Promise<HttpReply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.call(call);
      if (reply.status === 200) return reply;
      if (reply.status === 503 && tries < triesMax) continue;
      throw new Error(`${call.method} ${call.path} answered ${reply.status}: ${reply.body.toString().slice(0, 300)}`);
    }
  }

  /**
   * Sends calls on several connections until the time is over. Each connection sends the next call after the previous
   * answer.
   */
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
