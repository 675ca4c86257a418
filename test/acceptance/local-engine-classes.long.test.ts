import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { engineClasses } from '#lib/local/engine-classes.ts';
import { findFreePort } from '#lib/local/free-port.ts';
import { javaCommand, spawnJava } from '#lib/local/java.ts';

let archives: string;

beforeEach(async () => {
  archives = await mkdtemp(join(tmpdir(), 'engine-classes-'));
});

afterEach(() => rm(archives, { recursive: true }));

/** Starts the engine, waits until it serves, and stops it. @returns whether it has ended by itself */
async function run(args: readonly string[]): Promise<boolean> {
  const port = await findFreePort();
  const java = await spawnJava([...args, '-port', String(port), '-disableTelemetry', '-inMemory'], 120_000);
  let hasEnded = false;
  void java.exited.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) await delay(50);
  if (hasEnded) throw await java.explainExit();
  return java.stop();
}

const archived = async () => (await readdir(archives, { recursive: true })).filter((name) => /\.jsa/.test(name));

it('the engine writes an archive of its classes at its first end, and later starts use it', async () => {
  const first = await engineClasses(javaCommand(), true, archives);
  expect(await run(first.args)).toBe(true);
  await first.keepArchive?.();
  expect(await archived()).toEqual([expect.stringMatching(/^[0-9a-f]{16}\/engine\.jsa$/)]);

  const second = await engineClasses(javaCommand(), true, archives);
  expect(second.keepArchive).toBeUndefined();
  // With `on`, Java ends where it would otherwise ignore an archive.
  expect(await run(['-Xshare:on', ...second.args])).toBe(true);
});

it('an engine that may not record writes nothing, and one without an archive starts all the same', async () => {
  const { args, keepArchive } = await engineClasses(javaCommand(), false, archives);
  expect([keepArchive, await run(args), await archived()]).toEqual([undefined, true, []]);
  const nowhere = await engineClasses(javaCommand(), true, join(import.meta.filename, 'below a file'));
  expect([nowhere.args.includes('-jar'), nowhere.keepArchive]).toEqual([true, undefined]);
});
