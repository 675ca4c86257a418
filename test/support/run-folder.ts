import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the system's folder for temporary files, from now on and for every process of the test run, one that goes away
 * with the run: also what is left by processes that are killed, and by tests that fail.
 * @returns what removes it
 */
export async function openRunFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-api-test-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  // The service and its commands are started dozens of times; only the first of them compiles what they share.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache');
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true });
  };
}
