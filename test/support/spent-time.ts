const tickMilliseconds = 10;
/** The part of a longer gap between two ticks that counts: a process that can work ticks sooner. */
const gapMillisecondsMax = 20;

export interface Timed<Result> {
  readonly result: Result;
  /** In milliseconds. */
  readonly waited: number;
}

/**
 * Does some work, and says how long that takes while this process can run. The time in which a busy machine holds the
 * process up counts little, so that a bound proves what the service decides, and not how fast the machine is.
 */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  let spent = 0;
  let last = performance.now();
  const count = () => {
    const now = performance.now();
    spent += Math.min(now - last, gapMillisecondsMax);
    last = now;
  };
  const ticking = setInterval(count, tickMilliseconds);
  try {
    const result = await work();
    count();
    return { result, waited: spent };
  } finally {
    clearInterval(ticking);
  }
}

/** The milliseconds that this process computes for some work, however many others share the machine. */
export async function computedMilliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
