import { ConfiguredRetryStrategy } from '@smithy/core/retry';

type Strategy = ConfiguredRetryStrategy;

/**
 * The SDK limits retries by a quota, so that retries do not overload a table that is down. Each success restores only a
 * little of the quota, so after an outage hundreds of calls would fail at their first lost reply. Here one success
 * restores all of it.
 */
export class RenewedRetries
  implements Pick<Strategy, 'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'>
{
  readonly #attempts: number;
  #strategy: Strategy;
  readonly #full: number;

  /** @param attempts the maximum number of tries of a call */
  constructor(attempts: number) {
    this.#attempts = attempts;
    this.#strategy = this.#renewed();
    this.#full = this.#strategy.getCapacity();
  }

  acquireInitialRetryToken = (scope: string) => this.#strategy.acquireInitialRetryToken(scope);

  refreshRetryTokenForRetry = (...given: Parameters<Strategy['refreshRetryTokenForRetry']>) =>
    this.#strategy.refreshRetryTokenForRetry(...given);

  recordSuccess(): void {
    if (this.#strategy.getCapacity() < this.#full) this.#strategy = this.#renewed();
  }

  #renewed = (): Strategy =>
    new ConfiguredRetryStrategy(this.#attempts, (attempt) => Math.random() * Math.min(400, 40 * 2 ** attempt));
}
