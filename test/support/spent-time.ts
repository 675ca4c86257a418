import { LoadTolerantClock } from './load-tolerant-clock.ts';

export interface Timed<Result> {
  readonly result: Result;
  /** In milliseconds. */
  readonly waited: number;
}

/** Runs some work, and measures how much of its time this process could run. */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  using clock = new LoadTolerantClock();
  const result = await work();
  return { result, waited: clock.now() };
}

/** The CPU time of some work in milliseconds, which the load of the machine does not affect. */
export async function computedMilliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
