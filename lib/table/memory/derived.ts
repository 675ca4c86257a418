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
