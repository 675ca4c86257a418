/**
 * Remembers what was used last, up to a total weight: what a warm function may keep of earlier requests. The newest
 * stays whatever it weighs, because who asks again for one that is too large would read it anew each time.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #weightMax: number;
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax || this.#entries.size === 1) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
