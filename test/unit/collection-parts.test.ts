import { expect, it } from '@jest/globals';
import { chunkRows } from '#lib/table/collection/chunk-rows.ts';
import { loadParts } from '#lib/table/collection/head.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Key } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';

const scope = { workspaceId: 'ws', collection: 'rows' };
const rows = Array.from({ length: 40_000 }, (_, index) => `row ${String(index).padStart(6, '0')}`);
const { directory, unstored } = await chunkRows(
  scope,
  rows.map((row) => ({ position: row, row })),
  [],
);
const partIds = directory.map(([partId]) => partId);
const items = new Map(unstored.map((item) => [item.sk, item]));

/** A table that answers some reads before the deadline of the request. */
function request(readsMax: number) {
  let reads = 0;
  const get = async ({ sk }: Key) => {
    if (++reads > readsMax) throw new Unavailable('The deadline has passed.');
    return items.get(sk);
  };
  const table = { name: 'table', get } as unknown as Table;
  return {
    load: async () => (await loadParts<string[]>(table, scope, partIds)).flatMap(({ content }) => content),
    reads: () => reads,
  };
}

it('requests that run out of time load a list together, and the next load reads all parts again', async () => {
  expect(partIds).toHaveLength(80);
  for (let time = 0; time < 3; time++) await expect(request(25).load()).rejects.toThrow(Unavailable);
  const last = request(25);
  expect(await last.load()).toEqual(rows);
  expect(last.reads()).toBe(5);
  const next = request(100);
  expect(await next.load()).toEqual(rows);
  expect(next.reads()).toBe(80);
});
