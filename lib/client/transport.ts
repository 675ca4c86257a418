import { ApiError } from './api-error.ts';

export interface ClientOptions {
  /** The base address, such as https://api.example.com. */
  readonly baseUrl: string;
  /** Absent in the browser of a signed-in member, which sends the session cookie instead. */
  readonly apiKey?: string | undefined;
  /** The number of retries of a call that is safe to repeat. @default 2 */
  readonly retries?: number;
  /** The longest wait before a retry, in milliseconds. A longer `Retry-After` ends the retries. @default 20000 */
  readonly waitMillisecondsMax?: number;
  /** The time limit of one attempt in milliseconds. It does not apply to files and replies. @default 30000 */
  readonly timeoutMilliseconds?: number;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
}

export interface ClientRequest {
  readonly method: string;
  /** Relative to the base address, every segment encoded. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Changes only this version; another version is 412 `precondition_failed`. */
  readonly ifMatch?: string | undefined;
  /** Identifies a write, so that it can be repeated. */
  readonly idempotencyKey?: string | undefined;
  readonly json?: unknown;
  readonly body?: FormData;
  /** Menu and form routes read the key from the query only. */
  readonly keyIn?: 'header' | 'query';
  /**
   * True if a repeated call is safe, even when the first attempt took effect.
   * @default true for a read, and with an idempotency key
   */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Files and replies have no time limit. */
  readonly isLong?: boolean;
  /** The caller reads the body while it arrives. Any other body is read here, so that a broken one is retried. */
  readonly isStreamed?: boolean;
  /** True for a request that is to outlive its page in a browser. Such bodies have at most 64 KB together. */
  readonly keepalive?: boolean | undefined;
}

type RetryOptions = Pick<ClientRequest, 'isRepeatable' | 'signal' | 'isLong'>;

/** The options of a write. */
export type WriteOptions = Pick<ClientRequest, 'ifMatch' | 'idempotencyKey' | 'keepalive'>;

/** An id as a segment of a path. An empty one, `.` or `..` would change the path. */
export function segment(text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new RangeError('An id, a slug or a part of a key is neither empty nor dots alone.');
  return encodeURIComponent(text);
}

/** Sends requests and retries those that are safe to repeat. */
export class Transport {
  readonly #options: ClientOptions;

  /** @throws TypeError for options with which no call can succeed */
  constructor(options: ClientOptions) {
    requireUsable(options);
    this.#options = options;
  }

  /** @throws ApiError, or the error of fetch */
  send(request: ClientRequest): Promise<Response> {
    const { method, idempotencyKey, isRepeatable = method === 'GET' || idempotencyKey !== undefined } = request;
    return this.#withRetries({ ...request, isRepeatable }, async (signal) => {
      const response = await this.#request(request, signal);
      return request.isStreamed ? response : received(response);
    });
  }

  /** Sends a request whose response is JSON. It is not validated: the service's tests check it against these types. */
  async json<Answer>(request: ClientRequest): Promise<Answer> {
    return (await (await this.send(request)).json()) as Answer;
  }

  get = <Answer>(path: string, query?: object, keyIn?: 'header' | 'query'): Promise<Answer> =>
    this.json({ method: 'GET', path, query, ...(keyIn && { keyIn }) });

  /** Sends a request whose response is the version for `ifMatch`, and the record. */
  async versioned<Of>(request: ClientRequest): Promise<{ readonly value: Of; readonly etag: string }> {
    const response = await this.send(request);
    return { value: (await response.json()) as Of, etag: response.headers.get('etag') ?? '' };
  }

  /**
   * Sends a request whose response arrives in parts. It is sent again while no part has arrived.
   * @param partsOf reads the parts, and throws when they end too early
   * @throws ApiError, the error of fetch, or that of partsOf
   */
  async *stream<Part>(
    request: ClientRequest,
    partsOf: (response: Response) => AsyncGenerator<Part>,
  ): AsyncGenerator<Part> {
    const { parts, first } = await this.#withRetries({ ...request, isLong: true }, async (signal) => {
      const parts = partsOf(await this.#request(request, signal));
      return { parts, first: await parts.next() };
    });
    try {
      if (!first.done) yield first.value;
      yield* parts;
    } catch (error) {
      throw request.signal?.aborted ? request.signal.reason : error;
    } finally {
      await parts.return(undefined);
    }
  }

  /** Sends a file to a presigned URL, without the API key, with retries. @throws as `send` */
  sendFile(url: string, file: { method: string; headers: Readonly<Record<string, string>>; body: Blob }) {
    return this.#withRetries({ isRepeatable: true, isLong: true }, async (signal) =>
      received(await this.#fetch(url, { ...file, signal })),
    );
  }

  async #withRetries<Result>(request: RetryOptions, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { retries = 2, waitMillisecondsMax = 20_000, timeoutMilliseconds = 30_000 } = this.#options;
    const { signal, isLong } = request;
    for (let tries = 0; ; tries++) {
      const signals = [...(signal ? [signal] : []), ...(isLong ? [] : [AbortSignal.timeout(timeoutMilliseconds)])];
      try {
        return await call(AbortSignal.any(signals));
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const wait = waitFor(error, request, tries);
        if (tries >= retries || wait === undefined || wait > waitMillisecondsMax) throw error;
        await pause(wait, signal);
      }
    }
  }

  #request(request: ClientRequest, signal: AbortSignal): Promise<Response> {
    const { method, json, body, keepalive = false } = request;
    const headers = this.#headersOf(request, json !== undefined);
    const payload = json === undefined ? body : JSON.stringify(json);
    const init = { method, headers, signal, keepalive, redirect: 'error' as const };
    return this.#fetch(this.#addressOf(request), payload === undefined ? init : { ...init, body: payload });
  }

  /** @throws ApiError for an error status, or the error of fetch */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { fetch: send = fetch } = this.#options;
    const response = await send(url, init);
    if (response.ok || response.status === 304) return response;
    throw await ApiError.of(response);
  }

  #addressOf({ path, query = {}, keyIn }: Pick<ClientRequest, 'path' | 'query' | 'keyIn'>): string {
    const address = new URL(`${this.#options.baseUrl.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query).flatMap(parametersOf)) address.searchParams.append(name, value);
    const { apiKey } = this.#options;
    if (keyIn === 'query' && apiKey !== undefined) address.searchParams.set('apiKey', apiKey);
    return address.href;
  }

  #headersOf({ headers, ifMatch, idempotencyKey, keyIn }: ClientRequest, isJson: boolean): Headers {
    const sentHeaders = new Headers();
    const all = { ...headers, 'if-match': ifMatch, 'idempotency-key': idempotencyKey };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) sentHeaders.set(name, value);
    const { apiKey } = this.#options;
    if (keyIn !== 'query' && apiKey !== undefined) sentHeaders.set('authorization', `Bearer ${apiKey}`);
    if (isJson) sentHeaders.set('content-type', 'application/json');
    return sentHeaders;
  }
}

/** A group of calls. */
export abstract class Calls {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** Without this check, each call would fail after its retries, and an error of `Headers` would show the key. */
function requireUsable({ baseUrl, apiKey = '' }: ClientOptions): void {
  if (!(/^https?:/i.test(baseUrl) && URL.canParse(baseUrl))) {
    throw new TypeError('baseUrl: Must be an address such as https://api.example.com.');
  }
  if (/[^\x21-\x7e]/.test(apiKey)) {
    throw new TypeError('apiKey: Must be one line of printable ASCII characters without spaces.');
  }
}

/**
 * An object becomes one parameter for each property: `filter[name][contains]`. So does each of several values in it,
 * because they may contain commas.
 */
function parametersOf([name, value]: readonly [string, unknown]): (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value) && value.length === 0 && name !== 'fallback')
    throw new RangeError(`${name}: Must have an item: without one, the list would have everything.`);
  if (Array.isArray(value) && !name.includes('[')) return [[name, value.join()]];
  if (Array.isArray(value) && value.length === 1) return [[name, String(value[0]).replaceAll(',', '\\,')]];
  if (Array.isArray(value)) return value.map((item) => [name, String(item)]);
  return Object.entries(value).flatMap(([member, memberValue]) => parametersOf([`${name}[${member}]`, memberValue]));
}

/** The response with its whole body. @throws the error of fetch */
async function received(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/**
 * @returns the milliseconds to wait before the next attempt, or undefined for no retry. A 429 had no effect, so it is
 * always retried. After other failures the effect is unknown, so only repeatable requests are retried
 */
function waitFor(error: unknown, { isRepeatable }: RetryOptions, tries: number): number | undefined {
  const backOff = (0.5 + Math.random() / 2) * 300 * 2 ** tries;
  if (error instanceof RangeError) return undefined;
  if (!(error instanceof ApiError)) return isRepeatable ? backOff : undefined;
  const { status, retryAfter } = error;
  const shouldRetry = status === 429 || (isRepeatable && (status === 409 || status >= 502));
  return shouldRetry ? Math.max(backOff, (retryAfter ?? 0) * 1_000) : undefined;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
