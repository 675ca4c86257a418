import { describe, expect, it } from '@jest/globals';
import { ContainerMemory } from '#lib/table/memory/container-memory.ts';
import { VersionedCache } from '#lib/table/memory/versioned.ts';
import type { Table } from '#lib/table/table.ts';

interface Head {
  readonly version: string;
}

/** A stored head and a cache of it, with the number of loads. */
function stored(head: Head | undefined, settled = () => true) {
  const loads: string[] = [];
  const held: (() => void)[] = [];
  const state = { head, holds: false };
  const cache = new VersionedCache<string, Head, { text: string }>({
    key: (scope) => ({ pk: scope, sk: 'HEAD' }),
    versionOf: ({ version }) => version,
    memory: new ContainerMemory(() => 100_000_000),
    load: async ({ head: { version }, previous }) => {
      loads.push(`${version} after ${previous?.text}`);
      if (state.holds) await new Promise<void>((resolve) => held.push(resolve));
      if (version === 'broken') throw new Error('The load failed.');
      return { value: { text: version }, bytes: 10, isExact: settled() };
    },
  });
  const table = { name: 'table', get: async () => state.head } as unknown as Table;
  const read = async () => (await cache.read(table, 'scope'))?.value.text;
  return { state, loads, held, cache, table, read };
}

describe('a versioned cache', () => {
  it('loads a version once, and the next one with the value of the previous', async () => {
    const { state, loads, read } = stored({ version: 'one' });
    expect([await read(), await read()]).toEqual(['one', 'one']);
    state.head = { version: 'two' };
    expect([await read(), await read()]).toEqual(['two', 'two']);
    expect(loads).toEqual(['one after undefined', 'two after one']);
  });

  it('has no value without a head', async () => {
    expect(await stored(undefined).read()).toBeUndefined();
  });

  it('loads once for requests that come together', async () => {
    const { state, loads, held, read } = stored({ version: 'one' });
    state.holds = true;
    const reads = [read(), read(), read()];
    await new Promise(setImmediate);
    for (const release of held) release();
    expect(await Promise.all(reads)).toEqual(['one', 'one', 'one']);
    expect(loads).toHaveLength(1);
  });

  it('loads again for a request that joined a failed load', async () => {
    const { state, loads, held, read } = stored({ version: 'broken' });
    state.holds = true;
    const reads = [read(), read()];
    await new Promise(setImmediate);
    state.holds = false;
    for (const release of held) release();
    await Promise.allSettled(reads);
    expect(loads).toHaveLength(2);
  });

  it('keeps nothing that is not exact', async () => {
    const { loads, read, cache, table } = stored({ version: 'one' }, () => false);
    expect([await read(), await read()]).toEqual(['one', 'one']);
    expect(loads).toEqual(['one after undefined', 'one after undefined']);
    expect(cache.lastSeen(table, 'scope')).toBeUndefined();
  });
});
