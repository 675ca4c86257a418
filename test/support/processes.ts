import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { CommandResult } from './command-line.ts';

const root = resolve(import.meta.dirname, '../..');
/** Options of Node for a process whose deadlines allow for a busy machine. */
export const onLoadTolerantClock = [
  '--import',
  pathToFileURL(join(import.meta.dirname, 'install-load-tolerant-clock.ts')).href,
];

/** Runs `npm run workspace -- ...` in a separate process until it ends. */
export async function runWorkspace(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const child = start('bin/workspace.ts', args, environment);
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, errors };
}

/** The service of `npm start -- ...`, in a separate process. */
export class LocalService {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(...options: string[]): Promise<LocalService> {
    const child = start('bin/local.ts', ['--port', '0', ...options]);
    const errors = text(child.stderr);
    let out = '';
    for await (const piece of child.stdout.setEncoding('utf8')) {
      out += piece;
      const url = /^ready (http:\S+)$/m.exec(out)?.[1];
      if (url !== undefined) return new LocalService(url, child);
    }
    throw new Error(await errors);
  }

  /** @returns the exit code */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    const [code] = await closed;
    return code;
  }
}

const start = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [...onLoadTolerantClock, program, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
