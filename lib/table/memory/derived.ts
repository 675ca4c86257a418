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

/**
 * Several data made of one object, each under a name and from what the name stands for. Of them the last used are kept;
 * they live as long as their owner and are weighed with it.
 */
export function derivedByName<Owner extends object, Input, Value>(
  make: (owner: Owner, name: string, input: Input) => Value,
  { bytes, most }: { readonly bytes: (value: Value) => number; readonly most: number },
  memory: Pick<ContainerMemory, 'addBytes'> = containerMemory,
): (owner: Owner, name: string, input: Input) => Value {
  const madeOf = derived((_: Owner) => new Map<string, Value>());
  return (owner, name, input) => {
    const made = madeOf(owner);
    const kept = made.has(name);
    const value = kept ? (made.get(name) as Value) : make(owner, name, input);
    made.delete(name);
    made.set(name, value);
    if (!kept) memory.addBytes(owner, bytes(value));
    const [oldest] = made;
    if (oldest && made.size > most) {
      made.delete(oldest[0]);
      memory.addBytes(owner, -bytes(oldest[1]));
    }
    return value;
  };
}
