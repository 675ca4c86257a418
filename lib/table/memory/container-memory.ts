/**
 * The memory of a container between requests. All caches are views of it and share one budget in bytes. The least
 * recently used value of any cache is evicted first.
 */
export class ContainerMemory {
  readonly #budget: () => number;
  /** In order of eviction. */
  readonly #entries = new Set<Entry>();
  /** The entry of each cached object, so that the size of derived data is added to it. */
  readonly #entryOf = new WeakMap<object, Entry>();
  #bytesMax: number | undefined;
  #bytes = 0;

  /** @param budget the maximum size in bytes; called only when more than 16 MB are cached */
  constructor(budget: () => number) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Creates a cache with its own keys and the shared budget. */
  view<Value>(): MemoryView<Value> {
    const entries = new Map<string, Entry & { readonly value: Value }>();
    const remove = (key: string): void => {
      const entry = entries.get(key);
      if (entry && this.#entries.delete(entry)) this.#bytes -= entry.bytes;
      entries.delete(key);
    };
    return {
      get: (key) => {
        const entry = entries.get(key);
        if (!entry) return undefined;
        entry.wasUsed = true;
        return entry.value;
      },
      set: (key, value, bytes, owner = value) => {
        remove(key);
        const size = bytes + textBytes(key) + entryBytes;
        const entry = { value, bytes: this.#weightOf(size), wasUsed: false, forget: () => entries.delete(key) };
        this.makeRoom(entry.bytes);
        this.#entries.add(entry);
        this.#bytes += entry.bytes;
        if (typeof owner === 'object' && owner !== null) this.#entryOf.set(owner, entry);
        entries.set(key, entry);
      },
      delete: remove,
    };
  }

  /** Evicts values until this many bytes fit. Call it before a large value is loaded, so that old ones are gone then. */
  makeRoom(bytes: number): void {
    if (this.#bytes + bytes <= budgetMin) return;
    this.#evict(Math.max(0, this.#limit() - bytes));
  }

  /** Adds the size of derived data to its cached owner. Does nothing if the owner is not cached. */
  addBytes(owner: object, bytes: number): void {
    const entry = this.#entryOf.get(owner);
    if (!entry || !this.#entries.has(entry)) return;
    const weight = this.#weightOf(entry.bytes + bytes);
    this.#bytes += weight - entry.bytes;
    entry.bytes = weight;
    entry.wasUsed = true;
    this.makeRoom(0);
  }

  /** An entry that was read since the last pass is kept for another pass. Moving it on every read would cost more. */
  #evict(bytesMax: number): void {
    for (const entry of this.#entries) {
      if (this.#bytes <= bytesMax) return;
      this.#entries.delete(entry);
      if (entry.wasUsed) {
        entry.wasUsed = false;
        this.#entries.add(entry);
      } else {
        this.#bytes -= entry.bytes;
        entry.forget();
      }
    }
  }

  /** A value larger than the budget is cached, too. Otherwise every request would load it again. */
  #weightOf = (bytes: number): number => (bytes <= budgetMin ? bytes : Math.min(bytes, this.#limit() * 0.75));

  #limit = (): number => (this.#bytesMax ??= this.#budget());
}

/** Below this size nothing is evicted, so that a cold start does not read the heap limit. */
const budgetMin = 16 * 1024 * 1024;
/** The overhead of an entry: two maps, a set and the entry itself. */
const entryBytes = 200;

interface Entry {
  bytes: number;
  wasUsed: boolean;
  /** Removes the entry from its view. */
  readonly forget: () => void;
}

/** One cache of the container's memory. */
export interface MemoryView<Value> {
  get(key: string): Value | undefined;
  /**
   * @param bytes the size of the value in memory, without the key
   * @param owner the object that derived data belongs to, if it is a part of the value
   */
  set(key: string, value: Value, bytes: number, owner?: unknown): void;
  delete(key: string): void;
}

/** Upper bound for the size of a string in memory. */
export const textBytes = (text: string): number => 2 * text.length;

/** Half of the heap. The rest is for requests, for values being loaded and for garbage. */
const heapShare = 0.5;

/** Loaded on demand, because it would cost a cold start milliseconds. */
const heapBytes = (): number => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;

/** The memory of this process. */
export const containerMemory = new ContainerMemory(() => heapBytes() * heapShare);
