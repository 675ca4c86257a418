import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets a folder for temporary files of all processes in the test run. It is removed after the run, including files of
 * killed processes and failed tests.
 * @returns a function that removes it
 */
export async function openRunFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-api-test-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  // The service and its commands start dozens of times. Only the first process compiles their shared modules.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache');
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true });
  };
}
