/** Pseudo-random numbers, equal for equal seeds. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below = (count: number): number => Math.floor(this.next() * count);

  isLikely = (probability: number): boolean => this.next() < probability;

  /** A random choice by weight. */
  pick<Choice>(choices: readonly (readonly [weight: number, choice: Choice])[]): Choice {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new Error('There is nothing to choose from.');
  }
}
