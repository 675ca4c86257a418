import { setTimeout as pause } from 'node:timers/promises';
import type { AiRun, AiRuns } from '#lib/table/messaging/ai-runs.ts';
import { ReplyFailed } from './reply-failure.ts';

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
