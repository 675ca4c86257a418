import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { memoryMegabytesDefault, nodeOptionsFor } from '#lib/infra/service-function.ts';
import { peakMegabytes } from './process-usage.ts';

const program = join(import.meta.dirname, 'run-function.cjs');

const nodeOptions = nodeOptionsFor(memoryMegabytesDefault).split(' ');

export interface FunctionRun {
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswerMilliseconds: number;
  /** The CPU time of the process until then. Other work on the machine hardly changes it. */
  readonly firstAnswerCpu: number;
  /** Milliseconds from the start of the process to its end. */
  readonly wholeMilliseconds: number;
  /** The status of every answer. */
  readonly statuses: readonly number[];
  /** The peak memory of the process after each answer, and at its end. */
  readonly peaksMegabytes: readonly number[];
}

/** Runs a bundled function in a separate process, which answers the events of a file and ends. */
export async function runFunction(bundleFile: string, eventsFile: string): Promise<FunctionRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program, bundleFile, eventsFile], {
    env: environmentOfFunction(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const exited = once(child, 'exit').then(() => performance.now() - startedAt);
  let firstAnswerMilliseconds = 0;
  let firstAnswerCpu = 0;
  const statuses: number[] = [];
  const peaksMegabytes: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, value, cpu] = line.split(' ');
    if (word === 'answered') {
      if (statuses.length === 0) {
        firstAnswerMilliseconds = performance.now() - startedAt;
        firstAnswerCpu = Number(cpu);
      }
      statuses.push(Number(value));
      peaksMegabytes.push(peakMegabytes(child.pid ?? -1));
    }
    if (word === 'peak') peaksMegabytes.push(Number(value) / 1_024);
  }
  const wholeMilliseconds = await exited;
  process.off('exit', killAtExit);
  if (statuses.length === 0) throw new Error(`${bundleFile} did not answer.`);
  return { firstAnswerMilliseconds, firstAnswerCpu, wholeMilliseconds, statuses, peaksMegabytes };
}

/** Removes Node settings of this machine that no function has, such as additional certificates. */
const environmentOfFunction = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
