/** Limits how many tasks run at the same time. The others wait in their order. */
export class Turns {
  #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Waits until a task may run. Call `end` after the task.
   * @param watchClient called only for a task that must wait; the signal aborts when its client has left
   * @returns false after `milliseconds` without a turn, or when the client has left
   */
  async begin(milliseconds: number, watchClient?: () => AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const left = watchClient?.();
    if (left?.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const start = () => resolve(true);
    const giveUp = () => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== start);
      resolve(false);
    };
    this.#waiting.push(start);
    const timer = setTimeout(giveUp, milliseconds);
    left?.addEventListener('abort', giveUp);
    return promise.finally(() => {
      clearTimeout(timer);
      left?.removeEventListener('abort', giveUp);
    });
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
