import { Pace } from './pace.ts';

/** Waits longer after each failure. `wake` ends the wait. */
export class Waiter {
  readonly #pace = new Pace();
  #wake = Promise.withResolvers<void>();

  /** @param atLeast the service's minimum in milliseconds, which `wake` does not shorten */
  async pause(atLeast = 0): Promise<void> {
    const { promise } = this.#wake;
    const milliseconds = this.#pace.next();
    if (atLeast > 0) await delay(atLeast);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      promise,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.max(0, milliseconds - atLeast));
      }),
    ]);
    clearTimeout(timer);
  }

  /** Ends all pauses; the next ones are short again. */
  wake(): void {
    this.#pace.reset();
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
