const firstMilliseconds = 2_000;
const longestMilliseconds = 30_000;

/** The pauses between polls: 2 s after news, then longer and longer, at most 30 s. */
export class Pace {
  #milliseconds = firstMilliseconds;

  /** @param atLeast the service's minimum, in milliseconds */
  next(atLeast = 0): number {
    const now = this.#milliseconds;
    this.#milliseconds = Math.min(longestMilliseconds, now * 1.5);
    return Math.max(now, atLeast);
  }

  reset(): void {
    this.#milliseconds = firstMilliseconds;
  }
}
