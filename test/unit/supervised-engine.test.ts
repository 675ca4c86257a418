import { describe, expect, it } from '@jest/globals';
import { Failure } from '#lib/domain/failure.ts';
import type { JavaProcess } from '#lib/local/java.ts';
import { type EngineProgram, SupervisedEngine } from '#lib/local/supervised-engine.ts';

/** Processes that end on a signal of the test. A real Java process needs a second for each start. */
class Processes {
  readonly running = new Set<JavaProcess>();
  readonly #kills: (() => void)[] = [];
  started = 0;

  spawn = async (): Promise<JavaProcess> => {
    const name = `process ${++this.started}`;
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    const end = () => {
      this.running.delete(java);
      resolve();
      return true;
    };
    const java: JavaProcess = { exited, explainExit: async () => new Failure(name), stop: async () => end() };
    this.running.add(java);
    this.#kills.push(end);
    return java;
  };

  killNewest = () => this.#kills.at(-1)?.();
}

const turn = () => new Promise(setImmediate);
const answersAtOnce: EngineProgram['waitUntilReady'] = async () => undefined;

describe('an engine that ends by itself', () => {
  const open = async (program: Partial<EngineProgram> = {}) => {
    const processes = new Processes();
    const { spawn } = processes;
    const engine = await SupervisedEngine.start({ spawn, waitUntilReady: answersAtOnce, keepsData: true, ...program });
    return { processes, engine };
  };

  it('is started again each time, until it is stopped', async () => {
    const { processes, engine } = await open();
    await engine.ready;
    for (const started of [2, 3]) {
      processes.killNewest();
      while (processes.started < started) await turn();
    }
    await engine.stop();
    expect([await engine.ended, processes.running.size, processes.started]).toEqual([undefined, 0, 3]);
  });

  it('has ended for good when its data was in memory', async () => {
    const { processes, engine } = await open({ keepsData: false });
    processes.killNewest();
    expect([await engine.ended, processes.started]).toEqual([new Failure('process 1'), 1]);
  });

  it('has ended for good when it never answered', async () => {
    const failure = new Failure('Too slow.');
    const { processes, engine } = await open({ waitUntilReady: () => Promise.reject(failure) });
    await expect(engine.ready).rejects.toBe(failure);
    processes.killNewest();
    expect([await engine.ended, processes.started]).toEqual([new Failure('process 1'), 1]);
  });

  it('has ended for good when it does not answer after it was started again', async () => {
    const failure = new Failure('Too slow.');
    const answers = [Promise.resolve(), Promise.reject(failure)];
    for (const answer of answers) answer.catch(() => undefined);
    const { processes, engine } = await open({ waitUntilReady: async () => answers.shift() });
    await engine.ready;
    processes.killNewest();
    expect([await engine.ended, processes.running.size]).toEqual([failure, 0]);
  });

  it('leaves no process when it is stopped while it is started again', async () => {
    let starts = 0;
    const { processes, engine } = await open({
      waitUntilReady: async (_java, isStopping) => {
        starts += 1;
        while (starts === 2 && !isStopping()) await turn();
        if (isStopping()) throw new Failure('Stopped.');
      },
    });
    await engine.ready;
    processes.killNewest();
    while (processes.started < 2) await turn();
    await engine.stop();
    expect([await engine.ended, processes.running.size]).toEqual([undefined, 0]);
  });
});
