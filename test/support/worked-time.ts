const tickMilliseconds = 10;
/** The part of a longer gap between two ticks that counts: a process that can run ticks sooner. */
const gapMillisecondsMax = 20;

/**
 * A clock of the time in which this process can run. What a busy machine holds the process up counts little, so that
 * deadlines and bounds prove what the service decides, and not how fast the machine is.
 */
export class WorkedTime implements Disposable {
  readonly #ticking: NodeJS.Timeout;
  readonly #waiting = new Set<NodeJS.Timeout>();
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
      if (left <= 0) {
        controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
        return;
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(timer);
        wait();
      }, left).unref();
      this.#waiting.add(timer);
    };
    wait();
    return controller.signal;
  }

  /** Ends the clock and all that waits for it. */
  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
    for (const timer of this.#waiting) clearTimeout(timer);
  }
}
