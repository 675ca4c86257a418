/** One error in a request. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An answer with an error status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** A stable error code such as `not_found`. */
  readonly code: string;
  /** All errors of the request, on a 400. */
  readonly errors: readonly ErrorDetail[];
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, headers: Headers) {
    const { message, code, errors } = (body ?? {}) as { message?: string; code?: string; errors?: ErrorDetail[] };
    super(message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code ?? (status === 404 ? 'not_found' : 'unknown');
    this.errors = errors ?? [];
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(headers.get('retry-after'));
  }

  static async of(response: Response): Promise<ApiError> {
    const text = await response.text().catch(() => '');
    return new ApiError(response.status, parsed(text), response.headers);
  }
}

/** Proxies in front of the service may send seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
