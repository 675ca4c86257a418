import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processTree } from './process-usage.ts';
import type { Workbench } from './workbench.ts';

const stopMillisecondsMax = 10_000;
const pollMilliseconds = 25;

export interface ChildOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether the process exchanges messages with the parent. */
  readonly messages?: boolean;
}

/** A measured server. It writes its output to a file, so that reading it does not disturb the measurement. */
export class Child {
  readonly process: ChildProcess;
  readonly #name: string;
  readonly #outputFile: string;

  private constructor(name: string, process: ChildProcess, outputFile: string) {
    this.#name = name;
    this.process = process;
    this.#outputFile = outputFile;
  }

  static start(bench: Workbench, { name, command, folder, environment = {}, messages }: ChildOptions): Child {
    const [program, ...args] = command;
    const outputFile = join(bench.folder, `${name}.log`);
    const output = openSync(outputFile, 'w');
    const started = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', output, output, messages ? 'ipc' : 'ignore'],
    });
    closeSync(output);
    started.on('error', () => undefined);
    const killAtExit = () => started.kill('SIGKILL');
    process.once('exit', killAtExit);
    started.once('exit', () => process.off('exit', killAtExit));
    const child = new Child(name, started, outputFile);
    bench.running.defer(() => child.stop());
    return child;
  }

  get pid(): number {
    return this.process.pid ?? -1;
  }

  get output(): string {
    return readFileSync(this.#outputFile, 'utf8');
  }

  /** Repeats the request until there is a response. @throws when the process ends before that, with its last output */
  async until<Answer>(ask: () => Answer | Promise<Answer>, millisecondsMax: number): Promise<NonNullable<Answer>> {
    const deadline = performance.now() + millisecondsMax;
    while (performance.now() < deadline) {
      const answer = await ask();
      if (answer) return answer;
      if (this.#hasEnded) throw new Error(`${this.#name} ended by itself: ${this.output.slice(-2_000)}`);
      await delay(pollMilliseconds);
    }
    throw new Error(`${this.#name} was not ready in time: ${this.output.slice(-2_000)}`);
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const tree = processTree(this.pid);
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await Promise.race([ended, delay(stopMillisecondsMax, undefined, { ref: false })]);
    if (!this.#hasEnded) for (const pid of tree) kill(pid);
    await ended;
  }

  get #hasEnded(): boolean {
    return this.process.pid === undefined || this.process.exitCode !== null || this.process.signalCode !== null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
