import { describe, expect, it } from '@jest/globals';
import { derived } from '#lib/domain/derived.ts';
import { ContainerMemory, containerMemory, type MemoryView } from '#lib/table/memory/container-memory.ts';
import { fc } from '#test/support/fast-check.ts';

const megabyte = 1024 * 1024;
/** A hundred megabytes, so that the size of a key does not matter in these tests. */
const memoryOf = (megabytes = 100) => new ContainerMemory(() => megabytes * megabyte);
const filled = (memory: ContainerMemory, names: string, megabytes: number) => {
  const view = memory.view<{ name: string }>();
  for (const name of names) view.set(name, { name }, megabytes * megabyte);
  return view;
};
const heldBy = (view: MemoryView<unknown>, names: string) =>
  [...names].filter((name) => view.get(name) !== undefined).join('');

describe('container memory', () => {
  it('returns the value that was set last and forgets a deleted one', () => {
    const memory = memoryOf();
    const view = filled(memory, 'ab', 1);
    view.set('a', { name: 'another' }, megabyte);
    expect([view.get('a'), view.get('c')]).toEqual([{ name: 'another' }, undefined]);
    view.delete('a');
    expect(view.get('a')).toBeUndefined();
    view.delete('b');
    expect(memory.bytes).toBe(0);
  });

  it('evicts the oldest value first, whichever view it belongs to', () => {
    const memory = memoryOf();
    const first = filled(memory, 'ab', 30);
    const second = filled(memory, 'ab', 30);
    expect([heldBy(first, 'ab'), heldBy(second, 'ab')]).toEqual(['b', 'ab']);
  });

  it('keeps a value that was read before one that was not', () => {
    const view = filled(memoryOf(), 'abc', 30);
    view.get('a');
    view.set('d', { name: 'd' }, 30 * megabyte);
    expect(heldBy(view, 'abcd')).toBe('acd');
  });

  it('evicts the oldest value when all have been read', () => {
    const view = filled(memoryOf(), 'abc', 30);
    heldBy(view, 'abc');
    view.set('d', { name: 'd' }, 30 * megabyte);
    expect(heldBy(view, 'abcd')).toBe('bcd');
  });

  it('counts the bytes of keys', () => {
    const memory = memoryOf(20);
    const view = memory.view<string>();
    const key = 'k'.repeat(megabyte);
    for (const name of 'abcdefghijklmnopqrstuvwxyz') view.set(`${name}${key}`, 'x', 2);
    expect(memory.bytes).toBeGreaterThan(17 * megabyte);
    expect(memory.bytes).toBeLessThanOrEqual(20 * megabyte);
  });

  it('makes room before a value is loaded', () => {
    const memory = memoryOf();
    const view = filled(memory, 'abc', 30);
    memory.makeRoom(60 * megabyte);
    expect(memory.bytes).toBeLessThanOrEqual(40 * megabyte);
    expect(heldBy(view, 'abc')).toBe('c');
  });

  it('keeps a value that is larger than the budget beside small ones', () => {
    const memory = memoryOf();
    const view = filled(memory, 'ab', 500);
    view.set('small', { name: 'small' }, 100);
    expect([heldBy(view, 'ab'), view.get('small')]).toEqual(['b', { name: 'small' }]);
    expect(memory.bytes).toBeLessThanOrEqual(100 * megabyte);
  });

  it('never weighs more than its budget', () => {
    const step = fc.tuple(fc.constantFrom('get', 'set', 'delete', 'add'), fc.nat({ max: 9 }), fc.nat({ max: 150 }));
    const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = memoryOf();
      const views = [memory.view<object>(), memory.view<object>()];
      for (const [verb, key, megabytes] of steps) {
        const view = views[key % 2] as MemoryView<object>;
        if (verb === 'get') view.get(String(key));
        else if (verb === 'delete') view.delete(String(key));
        else if (verb === 'add') memory.addBytes(view.get(String(key)) ?? {}, megabytes * megabyte);
        else {
          const value = { key };
          view.set(String(key), value, megabytes * megabyte);
          expect(view.get(String(key))).toBe(value);
        }
        expect(memory.bytes).toBeLessThanOrEqual(100 * megabyte);
      }
      for (const view of views) for (let key = 0; key < 10; key++) view.delete(String(key));
      expect(memory.bytes).toBe(0);
    });
    fc.assert(property);
  });

  it('has a budget below the limit of the heap', () => {
    const view = containerMemory.view<string>();
    for (let index = 0; index < 100; index++) view.set(String(index), 'x', 100 * 1024 * megabyte);
    expect(view.get('99')).toBe('x');
    const limit = process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;
    expect(containerMemory.bytes).toBeLessThan(limit);
    view.delete('99');
  });
});

describe('derived data', () => {
  it('is made once for each object', () => {
    let calls = 0;
    const lengthOf = derived((list: readonly number[]) => ({ length: list.length, call: ++calls }));
    const list = [1, 2, 3];
    expect([lengthOf(list), lengthOf(list), lengthOf([1])]).toEqual([
      { length: 3, call: 1 },
      { length: 3, call: 1 },
      { length: 1, call: 2 },
    ]);
  });

  it('is made once even if the result is undefined', () => {
    let calls = 0;
    const nothing = derived((_: object): undefined => void calls++);
    const owner = {};
    expect([nothing(owner), nothing(owner), calls]).toEqual([undefined, undefined, 1]);
  });

  it('weighs with the object that owns it', () => {
    const memory = memoryOf();
    const view = memory.view<{ owner: object }>();
    const owner = {};
    const other = {};
    view.set('a', { owner }, 0, owner);
    memory.addBytes(owner, 60 * megabyte);
    memory.addBytes(other, 60 * megabyte);
    expect(memory.bytes).toBeGreaterThan(59 * megabyte);
    filled(memory, 'bc', 30);
    expect(memory.bytes).toBeLessThanOrEqual(100 * megabyte);
    view.delete('a');
    expect(memory.bytes).toBeLessThan(61 * megabyte);
  });
});
