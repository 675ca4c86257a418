import { containerMemory } from './container-memory.ts';

export interface Loaded<Value> {
  readonly value: Value;
  /** Size of the value in memory. */
  readonly bytes: number;
  /** False while a change is in progress. Then the value may be shown, but not be cached or tagged. @default true */
  readonly isExact?: boolean;
}

/** @param previous the value of an earlier version. Most of its parts can usually be reused */
type Load<Value> = (previous: Value | undefined) => Promise<Loaded<Value>>;

/** Makes a value once for requests that need it at the same time. */
export class SingleFlight<Value> {
  readonly #making = new Map<string, Promise<Value>>();

  /** @param make is called again if another request has called it and has run out of time */
  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    const making = this.#making.get(name)?.catch(make) ?? make();
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      if (this.#making.get(name) === making) this.#making.delete(name);
    }
  }
}

/** The last value at each address. While its version is the same, it is current. */
export class VersionedCache<Value> {
  readonly #cache = containerMemory.view<{ readonly version: string; readonly value: Value }>();
  readonly #loading = new SingleFlight<Loaded<Value>>();

  /** The value of a version that was read. @throws what `load` throws */
  async read(address: string, version: string, load: Load<Value>): Promise<Value> {
    const cached = this.#cache.get(address);
    if (cached?.version === version) return cached.value;
    const loaded = await this.#loading.get(`${address}\u0000${version}`, () => load(this.lastSeen(address)));
    const { value, bytes, isExact = true } = loaded;
    if (isExact && this.lastSeen(address) !== value) this.#cache.set(address, { version, value }, bytes, value);
    return value;
  }

  /** The value that this container read last: a hint for the next read. It must not be shown. */
  lastSeen(address: string): Value | undefined {
    return this.#cache.get(address)?.value;
  }
}
