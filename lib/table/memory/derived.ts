import { type ContainerMemory, containerMemory } from './container-memory.ts';

/**
 * Data derived once from an object. It lives as long as its owner, and its size is added to the owner's.
 * @param bytes the size of the derived data, if it matters
 */
export function derived<Owner extends object, Value>(
  make: (owner: Owner) => Value,
  bytes?: (value: Value, owner: Owner) => number,
  memory: Pick<ContainerMemory, 'addBytes'> = containerMemory,
): (owner: Owner) => Value {
  const cache = new WeakMap<Owner, { readonly value: Value }>();
  return (owner) => {
    const before = cache.get(owner);
    if (before) return before.value;
    const value = make(owner);
    cache.set(owner, { value });
    if (bytes) memory.addBytes(owner, bytes(value, owner));
    return value;
  };
}

/**
 * Several values derived from one object, each under a name. The most recently used are cached. They live as long as
 * their owner, and their size is added to the owner's.
 */
export function derivedByName<Owner extends object, Input, Value>(
  make: (owner: Owner, name: string, input: Input) => Value,
  { bytes, most }: { readonly bytes: (value: Value) => number; readonly most: number },
  memory: Pick<ContainerMemory, 'addBytes'> = containerMemory,
): (owner: Owner, name: string, input: Input) => Value {
  const cacheOf = derived((_: Owner) => new Map<string, Value>());
  return (owner, name, input) => {
    const cache = cacheOf(owner);
    const isCached = cache.has(name);
    const value = isCached ? (cache.get(name) as Value) : make(owner, name, input);
    cache.delete(name);
    cache.set(name, value);
    if (!isCached) memory.addBytes(owner, bytes(value));
    const [oldest] = cache;
    if (oldest && cache.size > most) {
      cache.delete(oldest[0]);
      memory.addBytes(owner, -bytes(oldest[1]));
    }
    return value;
  };
}
