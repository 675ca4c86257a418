import { ConfiguredRetryStrategy, isThrottlingError, isTransientError } from '@smithy/core/retry';

type Failure = Parameters<typeof isThrottlingError>[0] & { readonly retryAfter?: Date };

/**
 * Repeats calls as the SDK does, with its strategy, and with one difference. The SDK limits retries by a quota, so that
 * retries do not overload a table that is down. Each success restores only a little of the quota, so after an outage
 * hundreds of calls would fail at their first lost reply. Here one success restores all of it.
 */
export class Retrier {
  readonly #attempts: number;
  #strategy: ConfiguredRetryStrategy;
  readonly #full: number;

  /** @param attempts the maximum number of tries of a call */
  constructor(attempts: number) {
    this.#attempts = attempts;
    this.#strategy = this.#newStrategy();
    this.#full = this.#strategy.getCapacity();
  }

  /** @throws the error of the last try, with the number of tries in `$metadata.attempts` */
  async run<Answer>(attempt: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    let token = await this.#strategy.acquireInitialRetryToken('');
    for (;;) {
      try {
        const answer = await attempt();
        if (this.#strategy.getCapacity() < this.#full) this.#strategy = this.#newStrategy();
        return answer;
      } catch (cause) {
        const error = cause as Failure;
        const attempts = token.getRetryCount() + 1;
        // The strategy waits, and refuses with an error of its own.
        const renewed = this.#strategy.refreshRetryTokenForRetry(token, {
          error,
          errorType: typeOf(error),
          retryAfterHint: error.retryAfter,
        });
        token = await beforeAbort(renewed, signal).catch(() => {
          throw Object.assign(error, { $metadata: { ...error.$metadata, attempts } });
        });
      }
    }
  }

  #newStrategy = (): ConfiguredRetryStrategy =>
    new ConfiguredRetryStrategy(this.#attempts, (attempt) => Math.random() * Math.min(400, 40 * 2 ** attempt));
}

const typeOf = (error: Failure) => {
  if (isThrottlingError(error)) return 'THROTTLING';
  return isTransientError(error) ? 'TRANSIENT' : 'CLIENT_ERROR';
};

function beforeAbort<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return Promise.race([result, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
