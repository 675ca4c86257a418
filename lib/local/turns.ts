/** Limits how many tasks run at the same time. The others wait in their order. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Waits until a task may run. Call `end` after the task. @returns false after `milliseconds` without a turn */
  async begin(milliseconds: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const start = () => resolve(true);
    this.#waiting.push(start);
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(start), 1);
      resolve(false);
    }, milliseconds);
    return promise.finally(() => clearTimeout(timer));
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
