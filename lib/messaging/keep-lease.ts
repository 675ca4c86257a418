import { ConditionFailed } from '#lib/table/errors.ts';
import { type AiRuns, leaseMilliseconds } from '#lib/table/messaging/ai-runs.ts';

const renewalMilliseconds = 10_000;
const retryMilliseconds = 2_000;

/**
 * Renews the lease of a run until disposed.
 * @param onLost called once when another process owns the run, or may own it because no renewal succeeded in time
 */
export function keepLease(
  runs: () => Pick<AiRuns, 'renew'>,
  owner: string,
  onLost: () => void,
  everyMilliseconds = renewalMilliseconds,
): Disposable {
  let until = Date.now() + leaseMilliseconds;
  let timer: NodeJS.Timeout;
  let isOver = false;
  const schedule = (milliseconds: number): void => {
    if (!isOver) timer = setTimeout(renew, milliseconds);
  };
  const renew = async (): Promise<void> => {
    const renewed = Date.now() + leaseMilliseconds;
    try {
      await runs().renew(owner);
      until = renewed;
      schedule(everyMilliseconds);
    } catch (error) {
      if (isOver) return;
      if (error instanceof ConditionFailed || Date.now() >= until) onLost();
      else schedule(retryMilliseconds);
    }
  };
  schedule(everyMilliseconds);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
