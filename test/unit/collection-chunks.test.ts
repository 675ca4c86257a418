import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { type PositionedRow, storeChunks } from '#lib/table/collection/chunk-rows.ts';
import type { Directory } from '#lib/table/collection/head.ts';
import type { TableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';

const scope = { workspaceId: 'ws', collection: 'rows' };

const placed = (index: number, text: string): PositionedRow => {
  const position = `p${String(index).padStart(6, '0')}`;
  return { position, row: [position, text] };
};

const rowsOf = (count: number, text = (index: number) => `row ${index}`): PositionedRow[] =>
  Array.from({ length: count }, (_, index) => placed(index, text(index)));

interface Part {
  readonly partId: string;
  readonly content: Uint8Array;
}

const contentOf = ({ content }: Part): unknown[] => JSON.parse(gunzipSync(content).toString());

/** Chunks rows, and keeps the parts that are stored. */
async function chunked(rows: readonly PositionedRow[], before?: Directory) {
  const stored: Part[] = [];
  const call = async (_: string, { RequestItems }: { RequestItems: { table: { PutRequest: { Item: Part } }[] } }) => {
    expect(RequestItems.table.length).toBeLessThanOrEqual(10);
    stored.push(...RequestItems.table.map(({ PutRequest }) => PutRequest.Item));
    return {};
  };
  const table = new Table({ name: 'table', client: { call, destroy: () => undefined } as unknown as TableClient });
  const directory = await storeChunks(table, scope, rows, before);
  return { directory, stored };
}

it('many rows are in chunks of 500, in order', async () => {
  const rows = rowsOf(12_345);
  const { directory, stored } = await chunked(rows);
  expect(stored.flatMap(contentOf)).toEqual(rows.map(({ row }) => row));
  expect(directory.map(([, count]) => count)).toEqual([...Array.from({ length: 24 }, () => 500), 345]);
  expect(directory.map(([, , first]) => first)).toEqual(stored.map((part) => (contentOf(part)[0] as string[])[0]));
  expect(directory.map(([partId]) => partId)).toEqual(stored.map(({ partId }) => partId));
});

it('a chunk of long rows has at most 300,000 bytes', async () => {
  const { directory, stored } = await chunked(rowsOf(300, (index) => 'é'.repeat(index * 20)));
  expect(stored.flatMap(contentOf)).toHaveLength(300);
  expect(directory.length).toBeGreaterThan(5);
  for (const part of stored) expect(Buffer.byteLength(JSON.stringify(contentOf(part)))).toBeLessThan(300_000 + 500);
});

it('a changed row changes its chunk alone', async () => {
  const before = (await chunked(rowsOf(3_000))).directory;
  const { directory, stored } = await chunked(
    rowsOf(3_000, (index) => (index === 1_700 ? 'changed' : `row ${index}`)),
    before,
  );
  expect(stored).toHaveLength(1);
  expect(directory.map(([partId], index) => partId === before[index]?.[0])).toEqual([
    true,
    true,
    true,
    false,
    true,
    true,
  ]);
});

it('new rows change the chunk that they belong to, and rows after the last one the last', async () => {
  const even = rowsOf(4_000).filter((_, index) => index % 2 === 0);
  const { directory: before } = await chunked(even);
  const between = [...even.slice(0, 100), placed(199, 'between'), ...even.slice(100)];
  const { directory: inserted, stored } = await chunked(between, before);
  expect(inserted.map(([, count]) => count)).toEqual([501, 500, 500, 500]);
  expect(stored).toHaveLength(1);
  const many = Array.from({ length: 60 }, (_, index) => placed(199, `between ${index}`));
  const cut = await chunked([...even.slice(0, 100), ...many, ...even.slice(100)], before);
  expect(cut.directory.map(([, count]) => count)).toEqual([550, 510, 500, 500]);
  const again = await chunked([...even.slice(0, 100), ...many, ...even.slice(100)], cut.directory);
  expect(again).toEqual({ directory: cut.directory, stored: [] });
  const after = [...even, ...Array.from({ length: 60 }, (_, index) => placed(5_000 + index, 'after'))];
  const { directory } = await chunked(after, before);
  expect(directory.map(([, count]) => count)).toEqual([500, 500, 500, 550, 10]);
});

it('a chunk of fewer than 50 rows goes on into the next one', async () => {
  const rows = rowsOf(1_500);
  const { directory: before } = await chunked(rows);
  const fewer = rows.filter((_, index) => index < 450 || (index >= 980 && index < 1_020));
  const { directory, stored } = await chunked(fewer, before);
  expect(directory.map(([, count]) => count)).toEqual([450, 40]);
  expect(stored.flatMap(contentOf)).toEqual(fewer.map(({ row }) => row));
  const fuller = rows.filter((_, index) => index < 500 || index >= 980);
  expect((await chunked(fuller, before)).directory.map(([, count]) => count)).toEqual([500, 520]);
});

it('new rows before the first one change the first chunk', async () => {
  const rows = rowsOf(1_500);
  const { directory: before } = await chunked(rows.slice(10));
  expect((await chunked(rows, before)).directory.map(([, count]) => count)).toEqual([510, 500, 490]);
});

it('no rows make no chunk', async () => {
  expect(await chunked([])).toEqual({ directory: [], stored: [] });
});
