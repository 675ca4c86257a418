import { WorkedTime } from './worked-time.ts';

export interface Timed<Result> {
  readonly result: Result;
  /** In milliseconds. */
  readonly waited: number;
}

/** Does some work, and says how long it takes of the time in which this process can run. */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  using clock = new WorkedTime();
  const result = await work();
  return { result, waited: clock.now() };
}

/** The milliseconds that this process computes for some work, however many others share the machine. */
export async function computedMilliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
