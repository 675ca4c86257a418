const tickMilliseconds = 10;
/** The counted part of a longer gap between two ticks, because a process that can run ticks sooner. */
const gapMillisecondsMax = 20;
/** The number of times that a timer checks the clock. */
const looks = 50;
/** Shorter timers are pauses, which measure nothing. */
const deadlineMilliseconds = 1_000;

/**
 * A clock of the time in which this process can run. It hardly counts the delays of a busy machine. So deadlines and
 * bounds test the decisions of the service, not the speed of the machine.
 */
export class LoadTolerantClock implements Disposable {
  readonly #ticking: NodeJS.Timeout;
  #milliseconds = 0;
  #last = performance.now();
  #isOver = false;

  constructor() {
    this.#ticking = setInterval(() => this.now(), tickMilliseconds).unref();
  }

  /** In milliseconds. */
  now(): number {
    const now = performance.now();
    this.#milliseconds += Math.min(now - this.#last, gapMillisecondsMax);
    this.#last = now;
    return this.#milliseconds;
  }

  /** Like `setTimeout`, on this clock. */
  later(work: () => void, milliseconds: number): NodeJS.Timeout {
    const end = this.now() + milliseconds;
    const timer = setInterval(() => {
      if (!this.#isOver && this.now() < end) return;
      clearInterval(timer);
      if (!this.#isOver) work();
    }, milliseconds / looks);
    return timer;
  }

  /** Like `AbortSignal.timeout`, on this clock. */
  timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const end = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    this.later(end, milliseconds).unref();
    return controller.signal;
  }

  /** Stops the clock and all its timers. */
  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
    this.#isOver = true;
  }
}

/** Runs the deadlines of the service and of the SDK in this process on such a clock, until it is disposed of. */
export function installLoadTolerantClock(): Disposable {
  const { timeout } = AbortSignal;
  const { setTimeout: later } = globalThis;
  const { bigint } = process.hrtime;
  const clock = new LoadTolerantClock();
  AbortSignal.timeout = (milliseconds) => clock.timeout(milliseconds);
  process.hrtime.bigint = () => BigInt(Math.round(clock.now() * 1_000_000));
  globalThis.setTimeout = Object.assign(
    (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
      milliseconds < deadlineMilliseconds
        ? later(work, milliseconds, ...given)
        : clock.later(() => work(...given), milliseconds),
    later,
  ) as typeof setTimeout;
  return {
    [Symbol.dispose]: () => {
      AbortSignal.timeout = timeout;
      globalThis.setTimeout = later;
      process.hrtime.bigint = bigint;
      clock[Symbol.dispose]();
    },
  };
}
