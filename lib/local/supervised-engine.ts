import type { Failure } from '#lib/domain/failure.ts';
import { logError } from '#lib/http/work-log.ts';
import type { JavaProcess } from './java.ts';

export interface EngineProgram {
  /** Starts a process. */
  spawn(): Promise<JavaProcess>;
  /** @throws Failure when the process ends, is stopped or takes too long before it answers */
  waitUntilReady(java: JavaProcess, isStopping: () => boolean): Promise<void>;
  /** Whether a new process has the data of one that was killed. */
  readonly keepsData: boolean;
}

/** A running engine. If it ends by itself, it is started again unless its data ended with it. */
export class SupervisedEngine {
  /** Rejects when the engine ends or is stopped before it answers. */
  readonly ready: Promise<void>;
  /** Why the engine has ended for good; undefined after `stop`. */
  readonly ended: Promise<Failure | undefined>;
  readonly #program: EngineProgram;
  #java: JavaProcess;
  #stopping = false;

  static async start(program: EngineProgram): Promise<SupervisedEngine> {
    return new SupervisedEngine(program, await program.spawn());
  }

  private constructor(program: EngineProgram, java: JavaProcess) {
    this.#program = program;
    this.#java = java;
    this.ready = this.#untilReady();
    this.ended = this.#keep();
  }

  /** @returns whether the process has ended without being killed */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    const hasExited = await this.#java.stop();
    await this.ended;
    return hasExited;
  }

  #untilReady(): Promise<void> {
    return this.#program.waitUntilReady(this.#java, () => this.#stopping);
  }

  async #keep(): Promise<Failure | undefined> {
    // A first start that fails is not repeated. A later `await` of `ready` still gets the rejection.
    const hasAnswered = await this.ready.then(
      () => true,
      () => false,
    );
    for (;;) {
      await this.#java.exited;
      if (this.#stopping) return undefined;
      const failure = await this.#java.explainExit();
      if (!hasAnswered || !this.#program.keepsData) return failure;
      logError('The engine is started again. Requests are answered with 503 until it is ready.', failure);
      try {
        this.#java = await this.#program.spawn();
        await this.#untilReady();
      } catch (error) {
        await this.#java.stop();
        return this.#stopping ? undefined : (error as Failure);
      }
    }
  }
}
