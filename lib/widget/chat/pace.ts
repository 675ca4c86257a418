const firstMilliseconds = 2_000;
const longestMilliseconds = 30_000;

/** How long to wait before each poll: 2 s after news, then longer and longer, at most 30 s. */
export class Pace {
  #milliseconds = firstMilliseconds;

  /** @param atLeast what the service asks for, in milliseconds */
  next(atLeast = 0): number {
    const now = this.#milliseconds;
    this.#milliseconds = Math.min(longestMilliseconds, now * 1.5);
    return Math.max(now, atLeast);
  }

  reset(): void {
    this.#milliseconds = firstMilliseconds;
  }
}
