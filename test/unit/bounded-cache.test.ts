import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BoundedCache } from '#lib/table/bounded-cache.ts';

const filled = (weightMax: number, ...keys: string[]) => {
  const cache = new BoundedCache<string>(weightMax);
  for (const key of keys) cache.set(key, `of ${key}`);
  return cache;
};
const heldBy = (cache: BoundedCache<string>, ...keys: string[]) =>
  keys.filter((key) => cache.get(key) !== undefined).join('');

describe('a bounded cache', () => {
  it('gives back what was set, as it was set last', () => {
    const cache = filled(10, 'a', 'b');
    cache.set('a', 'another');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['another', 'of b', undefined]);
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
  });

  it('lets the oldest go first', () => {
    expect(heldBy(filled(3, ...'abcde'), ...'abcde')).toBe('cde');
  });

  it('keeps what was used before what was not', () => {
    const cache = filled(3, ...'abc');
    cache.get('a');
    cache.set('d', 'of d');
    expect(heldBy(cache, ...'abcd')).toBe('acd');
  });

  it('lets the oldest go when all have been used', () => {
    const cache = filled(3, ...'abc');
    heldBy(cache, ...'abc');
    cache.set('d', 'of d');
    expect(heldBy(cache, ...'abcd')).toBe('bcd');
  });

  it('keeps the newest alone when that is too large', () => {
    const cache = filled(3, ...'abc');
    cache.set('large', 'x', 100);
    expect(heldBy(cache, 'a', 'b', 'c')).toBe('');
    expect(cache.get('large')).toBe('x');
    cache.set('a', 'small');
    expect([cache.get('large'), cache.get('a')]).toEqual([undefined, 'small']);
  });

  it('never holds more than its bound, whatever is set and used', () => {
    const step = fc.tuple(fc.constantFrom('get', 'set', 'delete'), fc.constantFrom(...'abcdefgh'), fc.nat({ max: 6 }));
    const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = new BoundedCache<number>(10);
      for (const [verb, key, weight] of steps) {
        if (verb === 'get') cache.get(key);
        else if (verb === 'delete') cache.delete(key);
        else {
          cache.set(key, weight, weight);
          expect(cache.get(key)).toBe(weight);
          const held = [...'abcdefgh'].flatMap((one) => cache.get(one) ?? []);
          expect(held.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
        }
      }
    });
    fc.assert(property);
  });
});
