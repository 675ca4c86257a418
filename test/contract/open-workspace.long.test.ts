import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Range } from '#lib/table/table.ts';
import { exported, exportedFromScan } from '#test/support/document-text.ts';
import { everyKind } from '#test/support/every-kind.ts';
import { MemoryTable } from '#test/support/memory-table.ts';
import { allItems, comparable, openOwnTable } from '#test/support/own-table.ts';
import { type Document, load, storeWorkspace } from '#test/support/world.ts';

const demo: Document = JSON.parse(
  await readFile(new URL('../../lib/local/demo-workspace.json', import.meta.url), 'utf8'),
);

it.each([
  ['records of every kind', everyKind()],
  ['the demo', demo],
])('storeWorkspace stores the same items as an import through the engine: %s', async (_, document) => {
  const since = new Date().toISOString();
  await openOwnTable();
  const imported = await load(document);
  const expected = comparable(await allItems(), since);
  await openOwnTable();
  expect(await storeWorkspace(document)).toMatchObject({ changed: imported.changed, warnings: imported.warnings });
  expect(comparable(await allItems(), since)).toEqual(expected);
  const { exportedAt, ...read } = await exported(document.workspace.id);
  expect(await exportedFromScan(document.workspace.id)).toEqual({ ...read, exportedAt: expect.any(String) });
  expect(await load(document)).toMatchObject({ changed: 0 });
});

it('the table in memory pages a query like the engine', async () => {
  const items = ['e', 'a', 'd', 'b', 'c'].map((sk) => ({ pk: 'p', sk, kept: 1, hidden: 2 }));
  const { table } = new MemoryTable('memory', [...items, { pk: 'q', sk: 'a' }]);
  const read = (range: Partial<Range>) => Array.fromAsync(table.query({ pk: 'p', ...range }));
  const namesIn = async (range: Partial<Range>) => (await read(range)).map(({ sk }) => sk);
  expect(await namesIn({ perPage: 2 })).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await namesIn({ perPage: 2, descending: true, atMost: 3 })).toEqual(['e', 'd', 'c']);
  expect(await namesIn({ from: 'b', to: 'd' })).toEqual(['b', 'c', 'd']);
  expect(await read({ from: 'e', only: ['sk', 'kept'] })).toEqual([{ sk: 'e', kept: 1 }]);
});

it('storeWorkspace refuses a document with failures', async () => {
  await openOwnTable();
  await expect(storeWorkspace({ ...everyKind(), menu: 3 })).rejects.toThrow('menu');
  expect(await allItems()).toEqual([]);
});

it('the table in memory throws on unknown expressions, and on a failed condition', async () => {
  const { table } = new MemoryTable('memory');
  const key = { pk: 'a', sk: 'b' };
  const update = (UpdateExpression: string, rest = {}) => table.update(key, { UpdateExpression, ...rest });
  const causeOf = (call: Promise<unknown>) => call.catch((error: Error) => String(error.cause));
  expect(await causeOf(update('SET a = list_append(a, b)'))).toContain('does not know');
  expect(await causeOf(update('DELETE a b'))).toContain('does not know');
  expect(await causeOf(table.put(key, { ConditionExpression: 'size(a) = pk' }))).toContain('does not know');
  expect(await causeOf(table.put(key, { ConditionExpression: 'attribute_exists(pk)' }))).toContain('does not hold');
});
