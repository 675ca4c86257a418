/** Data derived once from an object. It lives as long as its owner. */
export function derived<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const cache = new WeakMap<Owner, { readonly value: Value }>();
  return (owner) => {
    const before = cache.get(owner);
    if (before) return before.value;
    const value = make(owner);
    cache.set(owner, { value });
    return value;
  };
}
