import { setTimeout as pause } from 'node:timers/promises';

/** The order matters only for speed, so the wait is short. */
const waitMillisecondsMax = 1_000;

/** The last work by key. An entry ends with its work, so the number of requests in progress bounds the map. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs this process's work on one key serially, because concurrent work would only conflict. Other processes do not
 * wait, so the work must be correct without it.
 * @param work gets whether it had to wait
 */
export async function runSerially<Result>(key: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const before = turns.get(key);
  const run = before ? waitFor(before).then(() => work(true)) : work(false);
  turns.set(key, run);
  try {
    return await run;
  } finally {
    if (turns.get(key) === run) turns.delete(key);
  }
}

async function waitFor(before: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const patience = pause(waitMillisecondsMax, undefined, { signal: over.signal });
  await Promise.race([before, patience]).catch(() => undefined);
  patience.catch(() => undefined);
  over.abort();
}
