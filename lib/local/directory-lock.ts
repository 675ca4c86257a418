import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const attemptsMax = 400;
const retryMilliseconds = 20;
const takeoverMillisecondsMax = 5_000;
const processIdMax = 2 ** 31 - 1;

/**
 * Takes a lock file, also from a process that has ended. The file contains the id of its process. Systems reuse ids,
 * so on Linux it also contains the start time of the process.
 * @returns undefined on success, otherwise the id of the process that holds the lock
 */
export async function takeLock(file: string): Promise<number | undefined> {
  const ownFile = `${file}.${randomUUID()}`;
  await writeFile(ownFile, (await identify(process.pid)) ?? '', { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      // A link appears together with its content, and never replaces another file.
      if (await succeeds(link(ownFile, file), 'EEXIST')) return undefined;
      const held = await readFile(file, 'utf8').catch(() => undefined);
      if (held === undefined) continue;
      const holder = Number.parseInt(held, 10);
      if (await isAlive(held)) return holder;
      await removeStale(file, held, ownFile);
    }
    throw new Error(`its lock ${file} changes all the time`);
  } finally {
    await rm(ownFile, { force: true });
  }
}

/**
 * Removes a stale lock. Another process may already have replaced it by its own. So only one process at a time may
 * remove a lock, and it reads the lock again first.
 */
async function removeStale(file: string, staleContent: string, ownFile: string): Promise<void> {
  const takeover = `${file}.takeover`;
  if (await succeeds(link(ownFile, takeover), 'EEXIST')) {
    const content = await readFile(file, 'utf8').catch(() => undefined);
    if (content === staleContent) await rm(file, { force: true });
    await rm(takeover, { force: true });
  } else {
    const since = await stat(takeover).then(({ ctimeMs }) => ctimeMs, Date.now);
    // A takeover lasts a moment. After a longer time its process must have ended.
    if (Date.now() - since > takeoverMillisecondsMax) await rm(takeover, { force: true });
    await delay(retryMilliseconds);
  }
}

async function succeeds(step: Promise<void>, expectedFailure: string): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expectedFailure) return false;
    throw error;
  }
}

/**
 * Identifies a process for the lock: `1234 567890`, without the second number where its start is unknown.
 * @returns undefined for a killed process that its parent has not reaped (states Z and X)
 */
async function identify(pid: number): Promise<string | undefined> {
  // The command's name, in parentheses, may hold spaces. The state follows it; the start is the twentieth field.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return ['Z', 'X'].includes(fields[0] ?? '') ? undefined : `${pid} ${fields[19] ?? ''}`.trim();
}

async function isAlive(held: string): Promise<boolean> {
  const pid = Number.parseInt(held, 10);
  if (!(pid > 0 && pid <= processIdMax)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (await identify(pid)) === held.trim();
}
