import { setTimeout as pause } from 'node:timers/promises';

/** Nothing depends on the turns but speed, so nobody waits for long. */
const waitMillisecondsMax = 1_000;

const turns = new Map<string, Promise<unknown>>();

/**
 * Lets the work of one process on one thing go one after the other, where parallel work would only get in each other's
 * way. Other processes do not wait, so the work must be right without it.
 * @param work is told whether it had to wait
 */
export async function runSerially<Result>(key: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
  const before = turns.get(key);
  const mine = before ? waitFor(before).then(() => work(true)) : work(false);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

async function waitFor(before: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const patience = pause(waitMillisecondsMax, undefined, { signal: over.signal });
  await Promise.race([before, patience]).catch(() => undefined);
  patience.catch(() => undefined);
  over.abort();
}
