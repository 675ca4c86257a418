import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const attemptsMax = 400;
const retryMilliseconds = 20;
const turnMillisecondsMax = 5_000;
const processIdMax = 2 ** 31 - 1;

/**
 * Takes a lock file, also from a process that is gone. It holds the id of its process and, where the system tells,
 * the moment that process started: ids are used again, in containers nearly always.
 * @returns undefined when it is taken, else the id of the process that has it
 */
export async function takeLock(file: string): Promise<number | undefined> {
  const mine = `${file}.${randomUUID()}`;
  await writeFile(mine, (await identify(process.pid)) ?? '', { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      // A link appears together with its content and never replaces another.
      if (await succeeds(link(mine, file), 'EEXIST')) return undefined;
      const held = await readFile(file, 'utf8').catch(() => undefined);
      if (held === undefined) continue;
      const holder = Number.parseInt(held, 10);
      if (await isAlive(held)) return holder;
      await removeStale(file, held, mine);
    }
    throw new Error(`its lock ${file} changes hands all the time`);
  } finally {
    await rm(mine, { force: true });
  }
}

/**
 * Another process may have seen the same stale lock and replaced it by its own. So one process at a time may remove a
 * lock, and it reads the lock again first.
 */
async function removeStale(file: string, seen: string, mine: string): Promise<void> {
  const turn = `${file}.takeover`;
  if (await succeeds(link(mine, turn), 'EEXIST')) {
    const now = await readFile(file, 'utf8').catch(() => undefined);
    if (now === seen) await rm(file, { force: true });
    await rm(turn, { force: true });
  } else {
    const since = await stat(turn).then(({ ctimeMs }) => ctimeMs, Date.now);
    // It takes a moment; one that takes longer was cut short.
    if (Date.now() - since > turnMillisecondsMax) await rm(turn, { force: true });
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
 * A process as a lock names it: `1234 567890`, without the second number where its start is unknown. A killed process
 * that its parent has not reaped (states Z and X) is none.
 */
async function identify(pid: number): Promise<string | undefined> {
  // The command's name, in parentheses, may hold spaces; the state follows it, the start is the twentieth field.
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
