import { type ContainerMemory, containerMemory, type MemoryView } from './container-memory.ts';

/** A loaded value. */
export interface Loaded<Value> {
  readonly value: Value;
  /** Size of the value in memory. */
  readonly bytes: number;
  /**
   * False if a change is in progress, so that the value is not exactly that of its version. Then it may be shown, but
   * neither it nor data derived from it may be cached or tagged. @default true
   */
  readonly isExact?: boolean;
}

/** @param previous the value of an earlier version. Most of its parts can usually be reused */
type Load<Value> = (previous: Value | undefined) => Promise<Loaded<Value>>;

/** The last value at each address. While its version is the same, it is current. */
export class VersionedCache<Value> {
  readonly #cache: MemoryView<{ readonly version: string; readonly value: Value }>;
  readonly #loading = new Map<string, Promise<Loaded<Value>>>();

  constructor(memory: ContainerMemory = containerMemory) {
    this.#cache = memory.view();
  }

  /** The value of a version that was read. @throws what `load` throws */
  async read(address: string, version: string, load: Load<Value>): Promise<Value> {
    const cached = this.#cache.get(address);
    if (cached?.version === version) return cached.value;
    const loaded = await this.#join(`${address}\u0000${version}`, () => load(this.lastSeen(address)));
    const { value, bytes, isExact = true } = loaded;
    if (isExact && this.lastSeen(address) !== value) this.#cache.set(address, { version, value }, bytes, value);
    return value;
  }

  /** The value that this container read last: a hint for the next read. It must not be shown. */
  lastSeen(address: string): Value | undefined {
    return this.#cache.get(address)?.value;
  }

  /**
   * Concurrent requests for the same version load it once. The loading request may run out of time while others still
   * have some.
   */
  async #join(name: string, load: () => Promise<Loaded<Value>>): Promise<Loaded<Value>> {
    const loading = this.#loading.get(name)?.catch(load) ?? load();
    this.#loading.set(name, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    }
  }
}
