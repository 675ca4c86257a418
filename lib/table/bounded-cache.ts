interface Kept<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Since its turn to go came last. */
  wasUsed: boolean;
}

/**
 * Remembers what was used lately, up to a total weight: what a warm function may keep of earlier requests. The newest
 * stays whatever it weighs, because who asks again for one that is too large would read it anew each time.
 *
 * What has been used gets a second turn instead of a new place at every use: a request may ask hundreds of times.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Kept<Value>>();
  readonly #weightMax: number;
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.wasUsed = true;
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    const newest = { value, weight, wasUsed: false };
    this.#entries.set(key, newest);
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#weightMax || this.#entries.size === 1) break;
      if (entry !== newest && !entry.wasUsed) this.delete(oldest);
      else this.#giveTurn(oldest, entry);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  #giveTurn(key: string, entry: Kept<Value>): void {
    entry.wasUsed = false;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }
}
