import { derived } from '#lib/domain/derived.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';

/** Values derived from an object, by name. The last used are cached as long as their owner, and count as its size. */
export function derivedByName<Owner extends object, Input, Value>(
  make: (owner: Owner, input: Input) => Value,
  { bytes, most }: { readonly bytes: (value: Value) => number; readonly most: number },
): (owner: Owner, name: string, input: Input) => Value {
  const cacheOf = derived((_: Owner) => new Map<string, Value>());
  return (owner, name, input) => {
    const cache = cacheOf(owner);
    const isCached = cache.has(name);
    const value = isCached ? (cache.get(name) as Value) : make(owner, input);
    cache.delete(name);
    cache.set(name, value);
    if (!isCached) containerMemory.addBytes(owner, bytes(value));
    const [oldest] = cache;
    if (oldest && cache.size > most) {
      cache.delete(oldest[0]);
      containerMemory.addBytes(owner, -bytes(oldest[1]));
    }
    return value;
  };
}
