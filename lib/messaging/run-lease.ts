import { setTimeout as pause } from 'node:timers/promises';
import { ConditionFailed } from '#lib/table/errors.ts';
import { type AiRun, type AiRuns, leaseMilliseconds } from '#lib/table/messaging/ai-runs.ts';
import { ReplyFailed } from './reply-failure.ts';

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

const firstMilliseconds = 100;
const laterMilliseconds = 1_000;

/**
 * Waits until no process works on a run.
 * @returns the run: done, failed, or running with an expired lease; undefined if it was deleted
 * @throws ReplyFailed at the deadline
 */
export async function waitForRun(runs: () => AiRuns, deadline: AbortSignal): Promise<AiRun | undefined> {
  for (let milliseconds = firstMilliseconds; ; milliseconds = Math.min(1.5 * milliseconds, laterMilliseconds)) {
    await pause(milliseconds * (0.75 + Math.random() / 2), undefined, { signal: deadline }).catch(() => {
      throw new ReplyFailed('busy', 'Another request is still generating this reply.');
    });
    const run = await runs().read();
    if (run?.status !== 'running' || run.leaseUntil < Date.now()) return run;
  }
}
