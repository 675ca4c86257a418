import { expect, it } from '@jest/globals';
import { storeChunks } from '#lib/table/collection/chunk-rows.ts';
import { loadParts } from '#lib/table/collection/head.ts';
import type { TableClient } from '#lib/table/dynamodb/client.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Item, Key } from '#lib/table/schema.ts';
import { Table } from '#lib/table/table.ts';

const scope = { workspaceId: 'ws', collection: 'rows' };
const rows = Array.from({ length: 40_000 }, (_, index) => `row ${String(index).padStart(6, '0')}`);
const items = new Map<string, Item>();
const writer = new Table({
  name: 'table',
  client: { call: store, destroy: () => undefined } as unknown as TableClient,
});
const directory = await storeChunks(
  writer,
  scope,
  rows.map((row) => ({ position: row, row })),
);
const partIds = directory.map(([partId]) => partId);

async function store(_: string, { RequestItems }: { RequestItems: { table: { PutRequest: { Item: Item } }[] } }) {
  for (const { PutRequest } of RequestItems.table) items.set(PutRequest.Item.sk, PutRequest.Item);
  return {};
}

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
