import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onLoadTolerantClock } from './processes.ts';

const program = join(import.meta.dirname, 'run-functions.cjs');

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}

/** A process that runs bundled functions; each keeps its memory between events, as a warm Lambda container does. */
export class BundleProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #exited: Promise<unknown>;
  #lastId = 0;

  /**
   * @param environment variables for the functions, added to those of this process
   * @param options of Node
   */
  constructor(environment: NodeJS.ProcessEnv, options: readonly string[] = []) {
    this.#child = fork(program, {
      env: { ...process.env, ...environment },
      execArgv: [...onLoadTolerantClock, ...options],
    });
    this.#child.on('message', (reply) => this.#settle(reply as Reply));
    this.#exited = once(this.#child, 'exit').then(() => {
      for (const { resolve } of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the process has ended. */
  get exited(): Promise<unknown> {
    return this.#exited;
  }

  /**
   * @param message a file and an event, or only a file, which is then served over HTTP
   * @returns the result of the function, or undefined if the process dies first
   * @throws errors of the function
   */
  ask(message: { readonly file: string; readonly event?: object }): Promise<unknown> {
    if (!this.isAlive) return Promise.resolve(undefined);
    const id = ++this.#lastId;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(id, reply);
    this.#child.send({ id, ...message }, (error) => error && this.#settle({ id }));
    return reply.promise;
  }

  /** Kills the process by `kill -9`. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #settle({ id, result, failure }: Reply): void {
    const reply = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) reply?.resolve(result);
    else reply?.reject(new Error(failure));
  }
}
