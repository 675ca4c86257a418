import { ConfiguredRetryStrategy } from '@smithy/core/retry';

type Strategy = ConfiguredRetryStrategy;

/**
 * The SDK rations what is tried again, so that a table that is down is not asked all the more, and fills the ration up by
 * little for each success: after an outage, hundreds of calls would fail with the first reply that is lost. Here one
 * success fills it.
 */
export class RenewedRetries
  implements Pick<Strategy, 'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'>
{
  readonly #attempts: number;
  #strategy: Strategy;
  readonly #full: number;

  /** @param attempts how often a call is tried at most */
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
