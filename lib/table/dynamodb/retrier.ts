import { setTimeout as pause } from 'node:timers/promises';
import { ConfiguredRetryStrategy, isThrottlingError, isTransientError } from '@smithy/core/retry';

type Failure = Parameters<typeof isThrottlingError>[0] & { readonly retryAfter?: Date };

/** A single write is retried so often while a transaction locks its item. */
const conflictsMax = 7;

/**
 * Repeats calls as the SDK does, with its strategy, and with two differences.
 *
 * - The SDK limits retries by a quota, so that retries do not overload a table that is down. Each success restores
 *   only a little of the quota. After an outage, hundreds of calls would fail at their first lost reply. Here one success
 *   restores all of it.
 * - The SDK does not retry a single write that conflicts with a transaction.
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
    for (let conflicts = 0; ; ) {
      try {
        const answer = await attempt();
        if (this.#strategy.getCapacity() < this.#full) this.#strategy = this.#newStrategy();
        return answer;
      } catch (cause) {
        const error = cause as Failure;
        if (error.name === 'TransactionConflictException' && conflicts < conflictsMax) {
          conflicts++;
          const isOver = await pause(Math.random() * 25 * 2 ** conflicts, false, { signal }).catch(() => true);
          if (!isOver) continue;
        }
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
