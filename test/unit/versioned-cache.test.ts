import { describe, expect, it } from '@jest/globals';
import { VersionedCache } from '#lib/table/memory/versioned.ts';

/** A cache of a value with the version of `state`, and the loads so far. */
function cached(first: string, exact = true) {
  const loads: string[] = [];
  const held: (() => void)[] = [];
  const state = { version: first, holds: false };
  const cache = new VersionedCache<{ readonly text: string }>();
  const read = async () => {
    const { version } = state;
    const { text } = await cache.read('address', version, async (previous) => {
      loads.push(`${version} after ${previous?.text}`);
      if (state.holds) await new Promise<void>((resolve) => held.push(resolve));
      if (version === 'broken') throw new Error('The load failed.');
      return { value: { text: version }, bytes: 10, isExact: exact };
    });
    return text;
  };
  return { state, loads, held, cache, read };
}

describe('a versioned cache', () => {
  it('loads a version once, and the next one with the value of the previous', async () => {
    const { state, loads, read } = cached('one');
    expect([await read(), await read()]).toEqual(['one', 'one']);
    state.version = 'two';
    expect([await read(), await read()]).toEqual(['two', 'two']);
    expect(loads).toEqual(['one after undefined', 'two after one']);
  });

  it('loads once for requests that come together', async () => {
    const { state, loads, held, read } = cached('one');
    state.holds = true;
    const reads = [read(), read(), read()];
    await new Promise(setImmediate);
    for (const release of held) release();
    expect(await Promise.all(reads)).toEqual(['one', 'one', 'one']);
    expect(loads).toHaveLength(1);
  });

  it('loads again for a request that joined a failed load', async () => {
    const { state, loads, held, read } = cached('broken');
    state.holds = true;
    const reads = [read(), read()];
    await new Promise(setImmediate);
    state.holds = false;
    for (const release of held) release();
    await Promise.allSettled(reads);
    expect(loads).toHaveLength(2);
  });

  it('keeps nothing that is not exact', async () => {
    const { loads, read, cache } = cached('one', false);
    expect([await read(), await read()]).toEqual(['one', 'one']);
    expect(loads).toEqual(['one after undefined', 'one after undefined']);
    expect(cache.lastSeen('address')).toBeUndefined();
  });
});
