import { type ContainerMemory, containerMemory } from './container-memory.ts';

/**
 * Data made once per object: it lives as long as its owner and is weighed with it.
 * @param bytes what the derived data weighs, where that matters
 */
export function derived<Owner extends object, Value>(
  make: (owner: Owner) => Value,
  bytes?: (value: Value, owner: Owner) => number,
  memory: Pick<ContainerMemory, 'addBytes'> = containerMemory,
): (owner: Owner) => Value {
  const made = new WeakMap<Owner, { readonly value: Value }>();
  return (owner) => {
    const before = made.get(owner);
    if (before) return before.value;
    const value = make(owner);
    made.set(owner, { value });
    if (bytes) memory.addBytes(owner, bytes(value, owner));
    return value;
  };
}
