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
  /** The version of the stored data. */
  readonly versionOf: (head: Head, scope: Scope) => string;
  readonly load: (load: Load<Scope, Head, Value>) => Promise<Loaded<Value>>;
  readonly memory?: ContainerMemory;
}

interface CachedValue<Head, Value> {
  readonly head: Head;
  readonly loaded: Loaded<Value>;
  /** While the head has this version, the value is current. */
  readonly version: string;
}

/**
 * The read-through cache of data that a small head names. While the head has the same version, the cached value is
 * current.
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
    const head = (await table.get(this.#spec.key(scope))) as (Item & Head) | undefined;
    return head && this.valueOf(table, scope, head);
  }

  /** The value of a head that was read. @throws what `load` throws */
  async valueOf(table: Table, scope: Scope, head: Head): Promise<Loaded<Value>> {
    const address = addressOf(table, this.#spec.key(scope));
    const version = this.#spec.versionOf(head, scope);
    const cached = this.#cache.get(address);
    if (cached?.version === version) return cached.loaded;
    const loaded = await this.#join(`${address}\u0000${version}`, () => {
      const previous = this.#cache.get(address)?.loaded.value;
      return this.#spec.load({ table, scope, head, previous, makeRoom: (bytes) => this.#cache.makeRoom(bytes) });
    });
    const isStored = this.#cache.get(address)?.loaded === loaded;
    if (loaded.isExact && !isStored) this.#cache.set(address, { head, loaded, version }, loaded.bytes, loaded.value);
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

const addressOf = ({ name }: Table, { pk, sk }: Key): string => `${name}\u0000${pk}\u0000${sk}`;
