/** Temporary failures: no connection, too many requests, a service that is down. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly isBusy: boolean;
  readonly retryAfterMilliseconds: number;

  /** @param response the answer, if there was one */
  constructor(response?: Response) {
    super(response ? `The service answered ${response.status}.` : 'There is no connection.');
    this.isBusy = response?.status === 429;
    this.retryAfterMilliseconds = (Number(response?.headers.get('retry-after')) || 0) * 1_000;
  }
}

/** Permanent failures, which a retry would not change. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number) {
    super(`The service answered ${status}.`);
    this.status = status;
  }
}

/** @returns the failure of an error answer */
export function failureOf(response: Response): Interrupted | Refused {
  const { status } = response;
  if (status === 408 || status === 425 || status === 429 || status >= 500) return new Interrupted(response);
  return new Refused(status);
}

/** A failure as it is; any other error is that of a lost connection. */
export const asFailure = (error: unknown): Interrupted | Refused =>
  error instanceof Interrupted || error instanceof Refused ? error : new Interrupted();
