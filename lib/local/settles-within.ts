import { setTimeout as delay } from 'node:timers/promises';

/** Waits for some work, up to a time limit. @returns false after the time limit */
export async function settlesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}
