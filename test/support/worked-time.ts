const tickMilliseconds = 10;
/** The part of a longer gap between two ticks that counts: a process that can run ticks sooner. */
const gapMillisecondsMax = 20;

/**
 * A clock of the time in which this process can run. What a busy machine holds the process up counts little, so that
 * deadlines and bounds prove what the service decides, and not how fast the machine is.
 */
export class WorkedTime implements Disposable {
  readonly #ticking: NodeJS.Timeout;
  #milliseconds = 0;
  #last = performance.now();

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

  /** As `AbortSignal.timeout`, on this clock. */
  timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const end = this.now() + milliseconds;
    const wait = () => {
      const left = end - this.now();
      if (left > 0) setTimeout(wait, left).unref();
      else controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    };
    wait();
    return controller.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
  }
}
