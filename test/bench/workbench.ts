import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The root folder of the project. */
export const projectFolder = resolve(import.meta.dirname, '../..');

/** The resources of a measurement, which are released at its end. */
export interface Workbench {
  /** A folder for files, removed at the end. */
  readonly folder: string;
  /** The started processes. They are stopped in reverse order, even after a failure. */
  readonly running: AsyncDisposableStack;
  /** Aborts when the user interrupts the measurement. */
  readonly signal: AbortSignal;
  /** Reports progress to the user. */
  note(text: string): void;
}

/** Runs a measurement. Stops and removes everything that it has started, even after an interruption. */
export async function withWorkbench<Result>(
  signal: AbortSignal,
  measure: (bench: Workbench) => Promise<Result>,
): Promise<Result> {
  await using running = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const interrupted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return await Promise.race([measure({ folder, running, signal, note: (text) => console.error(text) }), interrupted]);
}
