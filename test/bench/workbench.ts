import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The project's own folder. */
export const projectFolder = resolve(import.meta.dirname, '../..');

/** What a measurement works with, and cleans up after itself. */
export interface Workbench {
  /** For files; goes away in the end. */
  readonly folder: string;
  /** What is running, stopped in reverse order however the measurement ends. */
  readonly running: AsyncDisposableStack;
  /** Tells that the person does not want to wait any longer. */
  readonly signal: AbortSignal;
  /** Tells a waiting person what is going on. */
  note(text: string): void;
}

/** Runs a measurement, and stops and removes whatever it has started, also when it is interrupted. */
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
