import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Child } from './child.ts';
import { projectFolder, type Workbench } from './workbench.ts';

const startMillisecondsMax = 120_000;
const run = promisify(execFile);

/** The service of this repository, as a person starts it. */
export interface LocalService {
  readonly child: Child;
  readonly url: string;
  readonly port: number;
}

export interface ServiceOptions {
  readonly workspaces: readonly string[];
  /** A module that is loaded before the service, to watch it. */
  readonly watchedBy?: string;
}

export async function startLocalService(
  bench: Workbench,
  { workspaces, watchedBy }: ServiceOptions,
): Promise<LocalService> {
  const watch = watchedBy === undefined ? [] : ['--import', watchedBy];
  const files = workspaces.flatMap((file) => ['--workspace', file]);
  const child = Child.start(bench, {
    name: 'service',
    command: [process.execPath, ...watch, 'bin/local.ts', '--port', '0', ...files],
    folder: projectFolder,
    messages: watchedBy !== undefined,
  });
  const url = await child.until(() => /^ready (http:\S+)$/m.exec(child.output)?.[1], startMillisecondsMax);
  return { child, url, port: Number(new URL(url).port) };
}

/** Imports a workspace from a process of its own, so that the service does not carry what the import leaves behind. */
export async function importWorkspace({ signal }: Workbench, { url }: LocalService, file: string): Promise<void> {
  const command = ['bin/workspace.ts', 'import', file, '--url', url];
  await run(process.execPath, command, { cwd: projectFolder, signal, maxBuffer: 16 * 1_048_576 });
}
