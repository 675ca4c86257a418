import { type AiRuns, leaseMilliseconds } from '#lib/table/ai-runs.ts';
import { ConditionFailed } from '#lib/table/errors.ts';

const renewedEveryMilliseconds = 10_000;
const retriedAfterMilliseconds = 2_000;

/**
 * Keeps the lease of a run alive until it is disposed of.
 * @param lost called once when the run is somebody else's, or may be since it could not be renewed in time
 */
export function keepLease(
  runs: () => Pick<AiRuns, 'renew'>,
  owner: string,
  lost: () => void,
  everyMilliseconds = renewedEveryMilliseconds,
): Disposable {
  let until = Date.now() + leaseMilliseconds;
  let timer: NodeJS.Timeout;
  let isOver = false;
  const again = (milliseconds: number): void => {
    if (!isOver) timer = setTimeout(renew, milliseconds);
  };
  const renew = async (): Promise<void> => {
    const renewed = Date.now() + leaseMilliseconds;
    try {
      await runs().renew(owner);
      until = renewed;
      again(everyMilliseconds);
    } catch (error) {
      if (isOver) return;
      if (error instanceof ConditionFailed || Date.now() >= until) lost();
      else again(retriedAfterMilliseconds);
    }
  };
  again(everyMilliseconds);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
