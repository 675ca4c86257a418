import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { type ContainerMemory, containerMemory, type MemoryView } from './container-memory.ts';

/** A loaded value. */
export interface Loaded<Value> {
  readonly value: Value;
  /** Size of the value in memory. */
  readonly bytes: number;
  /**
   * True if the value is exactly that of its version. Otherwise a change is in progress. The value may be shown, but
   * neither it nor data derived from it may be cached or tagged.
   */
  readonly isExact: boolean;
}

export interface Load<Scope, Head, Value> {
  readonly table: Table;
  readonly scope: Scope;
  readonly head: Head;
  /** The value of an earlier version. Most of its parts can usually be reused. */
  readonly previous: Value | undefined;
  /** Call this with the size of the value as soon as it is known. */
  readonly makeRoom: (bytes: number) => void;
}

export interface VersionedSpec<Scope, Head, Value> {
  /** Key of the head. */
  readonly key: (scope: Scope) => Key;
  readonly load: (load: Load<Scope, Head, Value>) => Promise<Loaded<Value>>;
  /** Whether the version of the head is valid. It is not while a change is announced. @default always */
  readonly isStable?: (head: Head) => boolean;
  /** The version of the stored data. @default the head's `version` */
  readonly versionOf?: (head: Head, scope: Scope) => string;
  readonly memory?: ContainerMemory;
}

interface CachedValue<Head, Value> {
  readonly head: Head;
  readonly loaded: Loaded<Value>;
  /** The last valid version of the head. While the head still has it, the value is current. */
  readonly version: string | undefined;
}

/**
 * The read-through cache of stored data. Every request reads the small head of a collection. While its version is
 * unchanged, the cached value is current.
 */
export class VersionedCache<Scope, Head extends object, Value> {
  readonly #spec: VersionedSpec<Scope, Head, Value>;
  readonly #cache: MemoryView<CachedValue<Head, Value>>;
  readonly #loading = new Map<string, Promise<Loaded<Value>>>();

  constructor(spec: VersionedSpec<Scope, Head, Value>) {
    this.#spec = spec;
    this.#cache = (spec.memory ?? containerMemory).view();
  }

  /**
   * The current value: one small consistent read when nothing has changed.
   * @returns undefined if there is no head
   * @throws what `load` throws
   */
  async read(table: Table, scope: Scope): Promise<Loaded<Value> | undefined> {
    const key = this.#spec.key(scope);
    const head = (await table.get(key)) as (Item & Head) | undefined;
    if (!head) return undefined;
    const isStable = this.#spec.isStable?.(head) ?? true;
    const address = addressOf(table, key);
    const cached = this.#cache.get(address);
    const version = this.#versionOf(head, scope);
    if (isStable && cached?.version === version) return cached.loaded;
    const loaded = isStable
      ? await this.#join(table, scope, head, address)
      : await this.#load(table, scope, head, cached);
    if (loaded.isExact) this.#store(address, { head, loaded, version: isStable ? version : undefined });
    return loaded;
  }

  /** The value that this container read last: a hint for the next read. It must not be shown. */
  lastSeen(table: Table, scope: Scope): { readonly head: Head; readonly value: Value } | undefined {
    const cached = this.#cache.get(addressOf(table, this.#spec.key(scope)));
    return cached && { head: cached.head, value: cached.loaded.value };
  }

  /**
   * Concurrent requests for the same version load it once. The loading request may run out of time while others still
   * have some.
   */
  async #join(table: Table, scope: Scope, head: Head, address: string): Promise<Loaded<Value>> {
    const name = `${address}\u0000${this.#versionOf(head, scope)}`;
    const load = () => this.#load(table, scope, head, this.#cache.get(address));
    const loading = this.#loading.get(name)?.catch(load) ?? load();
    this.#loading.set(name, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    }
  }

  #load(table: Table, scope: Scope, head: Head, cached: CachedValue<Head, Value> | undefined): Promise<Loaded<Value>> {
    const makeRoom = (bytes: number) => this.#cache.makeRoom(bytes);
    return this.#spec.load({ table, scope, head, previous: cached?.loaded.value, makeRoom });
  }

  #versionOf = (head: Head, scope: Scope): string =>
    this.#spec.versionOf?.(head, scope) ?? (head as { readonly version: string }).version;

  #store(address: string, cached: CachedValue<Head, Value>): void {
    const before = this.#cache.get(address);
    if (before?.loaded.value === cached.loaded.value && before.version === cached.version) return;
    this.#cache.set(address, cached, cached.loaded.bytes, cached.loaded.value);
  }
}

const addressOf = ({ name }: Table, { pk, sk }: Key): string => `${name}\u0000${pk}\u0000${sk}`;
