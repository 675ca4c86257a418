import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Child } from './child.ts';
import { projectFolder, type Workbench } from './workbench.ts';

const startMillisecondsMax = 120_000;
const run = promisify(execFile);

/** The service of this repository, started as a user starts it. */
export interface LocalService {
  readonly child: Child;
  readonly url: string;
  readonly port: number;
}

export interface ServiceOptions {
  readonly workspaces: readonly string[];
  /** A module that is loaded before the service and observes it. */
  readonly watchedBy?: string;
  /** Added to the environment of this process. */
  readonly environment?: NodeJS.ProcessEnv;
}

export async function startLocalService(
  bench: Workbench,
  { workspaces, watchedBy, environment = {} }: ServiceOptions,
): Promise<LocalService> {
  const watch = watchedBy === undefined ? [] : ['--import', watchedBy];
  const files = workspaces.flatMap((file) => ['--workspace', file]);
  const child = Child.start(bench, {
    name: 'service',
    command: [process.execPath, ...watch, 'bin/local.ts', '--port', '0', ...files],
    folder: projectFolder,
    environment,
    messages: watchedBy !== undefined,
  });
  const url = await child.until(() => /^ready (http:\S+)$/m.exec(child.output)?.[1], startMillisecondsMax);
  return { child, url, port: Number(new URL(url).port) };
}

export interface ImportCost {
  readonly seconds: number;
  readonly peakMegabytes: number;
}

/** Imports a workspace in a separate process, as an operator does. @returns the resource usage of that process */
export async function importWorkspace({ signal }: Workbench, { url }: LocalService, file: string): Promise<ImportCost> {
  const command = [...nodeOptions, '--import', tellPeak, 'bin/workspace.ts', 'import', file, '--url', url];
  const env = { ...process.env, MALLOC_ARENA_MAX: '1', NODE_COMPILE_CACHE: '.build/compile-cache' };
  const startedAt = performance.now();
  const { stderr } = await run(process.execPath, command, {
    cwd: projectFolder,
    env,
    signal,
    maxBuffer: 16 * 1_048_576,
  });
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  return { seconds: (performance.now() - startedAt) / 1_000, peakMegabytes: Number(kilobytes) / 1_024 };
}

/** Runs the program of `npm run workspace` with the environment above. */
const nodeOptions = ['--max-semi-space-size=2', '--optimize-for-size'];

const tellPeak = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))",
)}`;
