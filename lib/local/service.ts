import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Failure } from '#lib/domain/failure.ts';
import { logError } from '../http/work-log.ts';
import { whyUnreadable } from '../workspace/why-unreadable.ts';
import { openDataDirectory } from './data-directory.ts';
import { startDynamoDb } from './dynamodb.ts';
import { requireFreePort } from './free-port.ts';
import type { ServiceOptions } from './serve.ts';

export interface Service {
  readonly url: string;
  /** Lines for the terminal. */
  readonly banner: readonly string[];
  /** Resolves when an engine ends unexpectedly. */
  readonly engineFailed: Promise<Failure>;
  /** Stops everything, in reverse order. */
  stop(): Promise<void>;
}

/** Starts the whole service on this machine. When a step fails, the earlier steps are undone. */
export async function startService(options: ServiceOptions, signal: AbortSignal): Promise<Service> {
  await using started = new AsyncDisposableStack();

  await requireFreePort(options.port, options.host);
  await requireReadable(options.workspaces);

  const data = options.data === undefined ? undefined : await openDataDirectory(options.data);
  started.defer(() => data?.release());

  const dynamodb = await startDynamoDb(data?.dynamodb, true);
  started.defer(() => dynamodb.stop());
  // The engine needs longest. It boots while all other modules are loaded.
  const { serve } = await import('./serve.ts');
  const { url, banner } = await serve({ options, data, dynamodb, signal, started });
  const running = started.move();
  return { url, banner, engineFailed: dynamodb.failed, stop: () => running.disposeAsync() };
}

/** Logs the failure of work that nothing waits for. */
export const logUnawaited = (reason: unknown): void => logError('Work that nothing waits for failed.', reason);

/** Checks the files before the slow part of the start. @throws Failure for an unreadable file */
async function requireReadable(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await access(file, constants.R_OK).catch((error: Error) => {
      throw new Failure(`The workspace file ${file} cannot be read: ${whyUnreadable(error)}.`);
    });
  }
}
