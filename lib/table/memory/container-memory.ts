/**
 * What a container keeps between requests. All caches are views of one memory: one budget in bytes bounds them
 * together, and the value that was not used for longest goes first, whichever cache it belongs to.
 */
export class ContainerMemory {
  readonly #budget: () => number;
  /** In order of eviction. */
  readonly #entries = new Set<Entry>();
  /** The entry of each object that is kept, so that data derived from it is weighed with it. */
  readonly #entryOf = new WeakMap<object, Entry>();
  #bytesMax: number | undefined;
  #bytes = 0;

  /** @param budget the bytes to keep at most; asked for only once more than 16 MB are kept */
  constructor(budget: () => number) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A cache of its own keys that shares the budget. */
  view<Value>(): MemoryView<Value> {
    return new MemoryView<Value>({
      add: (entry) => this.#add(entry),
      remove: (entry) => this.#remove(entry),
      makeRoom: (bytes) => this.makeRoom(bytes),
    });
  }

  /** Evicts until so many bytes fit. Called before a large value is loaded, so that old and new need not coexist. */
  makeRoom(bytes: number): void {
    if (this.#bytes + bytes <= budgetUnasked) return;
    this.#evict(Math.max(0, this.#limit() - bytes));
  }

  /** Adds the weight of derived data to the kept value that owns it; a value that is not kept weighs nothing. */
  addBytes(owner: object, bytes: number): void {
    const entry = this.#entryOf.get(owner);
    if (!entry || !this.#entries.has(entry)) return;
    const weight = this.#weightOf(entry.bytes + bytes);
    this.#bytes += weight - entry.bytes;
    entry.bytes = weight;
    entry.wasUsed = true;
    this.makeRoom(0);
  }

  #add(entry: Entry): void {
    entry.bytes = this.#weightOf(entry.bytes);
    this.makeRoom(entry.bytes);
    this.#entries.add(entry);
    this.#bytes += entry.bytes;
    if (typeof entry.owner === 'object' && entry.owner !== null) this.#entryOf.set(entry.owner, entry);
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes;
  }

  /** An entry that was read since its last turn gets another turn: cheaper than moving it on every read. */
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

  /** A value larger than the budget is kept, too: every request would load it again otherwise. */
  #weightOf = (bytes: number): number => (bytes <= budgetUnasked ? bytes : Math.min(bytes, this.#limit() * 0.75));

  #limit = (): number => (this.#bytesMax ??= this.#budget());
}

/** Up to here nothing is evicted, so that a cold start need not ask for the size of the heap. */
const budgetUnasked = 16 * 1024 * 1024;
/** Of a key and its bookkeeping: two maps, a set and the entry. */
const entryBytes = 200;

interface Entry {
  readonly owner: unknown;
  bytes: number;
  wasUsed: boolean;
  /** Removes it from its view. */
  readonly forget: () => void;
}

interface ViewOwner {
  readonly add: (entry: Entry) => void;
  readonly remove: (entry: Entry) => void;
  readonly makeRoom: (bytes: number) => void;
}

/** One cache of the container's memory. */
export class MemoryView<Value> {
  readonly #owner: ViewOwner;
  readonly #entries = new Map<string, Entry & { readonly value: Value }>();

  constructor(owner: ViewOwner) {
    this.#owner = owner;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.wasUsed = true;
    return entry.value;
  }

  /**
   * @param bytes the weight of the value in memory; that of the key is added here
   * @param owner the object that derived data is weighed with, where that is a part of the value
   */
  set(key: string, value: Value, bytes: number, owner: unknown = value): void {
    this.delete(key);
    const entry = {
      value,
      owner,
      bytes: bytes + textBytes(key) + entryBytes,
      wasUsed: false,
      forget: () => this.#entries.delete(key),
    };
    this.#owner.add(entry);
    this.#entries.set(key, entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#owner.remove(entry);
  }

  makeRoom(bytes: number): void {
    this.#owner.makeRoom(bytes);
  }
}

/** Upper bound for the size of a string in memory. */
export const textBytes = (text: string): number => 2 * text.length;

/** Half of the heap: the rest is for requests under way, for values being loaded and for garbage. */
const heapShare = 0.5;

/** Loaded when it is needed: a cold start would pay milliseconds for it. */
const heapBytes = (): number => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;

/** The memory of this process. */
export const containerMemory = new ContainerMemory(() => heapBytes() * heapShare);
