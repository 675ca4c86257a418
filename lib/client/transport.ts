import { ApiError } from './api-error.ts';

export interface ClientOptions {
  /** Where the service answers, such as https://api.example.com. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a call is tried again when that is safe. @default 2 */
  readonly retries?: number;
  /** The longest wait between two tries, in milliseconds; a service that asks for more is not asked again. @default 20000 */
  readonly waitMillisecondsMax?: number;
  /** How long one try may take, in milliseconds; files and replies take as long as they need. @default 30000 */
  readonly timeoutMilliseconds?: number;
  /** @default the global one */
  readonly fetch?: typeof fetch;
}

export interface ClientRequest {
  readonly method: string;
  /** Relative to the base address, every segment encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly body?: FormData;
  /** Menu and form routes read the key there only. */
  readonly keyIn?: 'header' | 'query';
  /** Whether a call that may have been carried out can be made again without harm. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Files and replies take as long as they need. */
  readonly isLong?: boolean;
}

type Insisting = Pick<ClientRequest, 'isRepeatable' | 'signal' | 'isLong'>;

/** Makes calls, and makes them again where that is safe. */
export class Transport {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws ApiError, and what fetch throws when there is no answer */
  send(request: ClientRequest): Promise<Response> {
    return this.#insist(request, (signal) => {
      const { method, json, body } = request;
      const headers = this.#headersOf(request, json !== undefined);
      const payload = json === undefined ? body : JSON.stringify(json);
      const init = { method, headers, signal, redirect: 'error' as const };
      return this.#fetch(this.#addressOf(request), payload === undefined ? init : { ...init, body: payload });
    });
  }

  /** Sends a file where the service has said, which knows no key; as often as it takes. @throws as `send` */
  sendFile(url: string, file: { method: string; headers: Readonly<Record<string, string>>; body: Blob }) {
    return this.#insist({ isRepeatable: true, isLong: true }, (signal) => this.#fetch(url, { ...file, signal }));
  }

  async #insist(request: Insisting, call: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    const { retries = 2, waitMillisecondsMax = 20_000 } = this.#options;
    for (let tries = 0; ; tries++) {
      const outcome = await this.#try(request, call);
      if (outcome instanceof Response) return outcome;
      const wait = waitFor(outcome, request, tries);
      if (tries >= retries || wait === undefined || wait > waitMillisecondsMax) throw outcome;
      await pause(wait, request.signal);
    }
  }

  async #try(
    { signal, isLong }: Insisting,
    call: (signal: AbortSignal) => Promise<Response>,
  ): Promise<Response | Error> {
    const { timeoutMilliseconds = 30_000 } = this.#options;
    const ends = [...(signal ? [signal] : []), ...(isLong ? [] : [AbortSignal.timeout(timeoutMilliseconds)])];
    try {
      const response = await call(AbortSignal.any(ends));
      return response.ok || response.status === 304 ? response : await ApiError.of(response);
    } catch (error) {
      if (signal?.aborted) throw error;
      return error as Error;
    }
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const { fetch: send = fetch } = this.#options;
    return send(url, init);
  }

  #addressOf({ path, query = {}, keyIn }: Pick<ClientRequest, 'path' | 'query' | 'keyIn'>): string {
    const address = new URL(`${this.#options.baseUrl.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, Array.isArray(value) ? value.join() : String(value));
    }
    if (keyIn === 'query') address.searchParams.set('apiKey', this.#options.apiKey);
    return address.href;
  }

  #headersOf({ headers = {}, keyIn }: Pick<ClientRequest, 'headers' | 'keyIn'>, isJson: boolean): Headers {
    const given = new Headers();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) given.set(name, value);
    if (keyIn !== 'query') given.set('authorization', `Bearer ${this.#options.apiKey}`);
    if (isJson) given.set('content-type', 'application/json');
    return given;
  }
}

/**
 * @returns how many milliseconds to wait before the next try; none when it must not be made. A 429 was not carried out,
 * whatever was asked; of anything else nobody knows, so only what is repeatable is repeated
 */
function waitFor(error: Error, { isRepeatable }: Insisting, tries: number): number | undefined {
  const backOff = (0.5 + Math.random() / 2) * 300 * 2 ** tries;
  if (!(error instanceof ApiError)) return isRepeatable ? backOff : undefined;
  const { status, retryAfter } = error;
  const isWorthIt = status === 429 || (isRepeatable && (status === 409 || status >= 502));
  return isWorthIt ? Math.max(backOff, (retryAfter ?? 0) * 1_000) : undefined;
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
