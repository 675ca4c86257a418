import { expect, it } from '@jest/globals';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { ColumnRow } from '#lib/table/cms/column-store.ts';
import { columnScope, readStoredColumns, scanColumns } from '#lib/table/cms/entry-columns.ts';
import { partIdsIn } from '#lib/table/collection/base-writes.ts';
import { type CollectionHead, headKey, loadPart } from '#lib/table/collection/head.ts';
import { keys } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const model = {
  id: 'guests',
  name: { en: 'Guests' },
  fields: [
    { key: 'name', name: { en: 'Name' }, type: 'text', localized: true },
    { key: 'room', name: { en: 'Room' }, type: 'number', localized: false },
    { key: 'notes', name: { en: 'Notes' }, type: 'longText', localized: false },
  ],
};

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();
const guest = (number: number, name = `Guest ${number}`) => ({
  id: `guest_${number}`,
  modelId: 'guests',
  published: number % 3 > 0,
  createdAt: minute(number),
  updatedAt: minute(2 * number),
  values: { name: { en: name, ar: 'ضيف' }, room: number % 40, notes: 'n'.repeat(number % 300) },
});

const numbers = Array.from({ length: 1_300 }, (_, number) => number);
const document = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push(model);
  cms.entries.push(...numbers.map((number) => guest(number)));
});
const scope = columnScope(document, model as unknown as Model);
const table = testTable();

const head = async () => (await table.uncached().get(headKey(scope))) as (Item & CollectionHead) | undefined;

/** The stored columns, and those that a reader would make from all entries. */
async function columns() {
  const current = await head();
  const stored = current && (await readStoredColumns(table.uncached(), scope, current));
  const chunks = stored?.chunks ?? [];
  const parts = await Promise.all(chunks.map(([partId]) => loadPart<ColumnRow[]>(table.uncached(), scope, partId)));
  const rows = parts.flatMap(({ content }) => content);
  return { chunks, rows, made: await scanColumns(table.uncached(), scope) };
}

/** The stored parts that no reader can find. */
async function strays(): Promise<string[]> {
  const { directory = '' } = (await head()) ?? {};
  const { content } = await loadPart<unknown>(table.uncached(), scope, directory);
  const current = new Set([directory, ...partIdsIn(content)]);
  const range = { pk: keys.index(document.workspaceId, scope.collection), from: 'PART#', to: 'PART#~' };
  const found = await Array.fromAsync(table.query(range), ({ sk }) => sk.slice('PART#'.length));
  return found.filter((partId) => !current.has(partId));
}

const importGuests = (entries: readonly object[], options = {}) =>
  load({ version: 1, workspace: document.document.workspace, cms: { models: [model], entries } }, options);

const update = async (number: number, name: string) => {
  const body = { values: { name: { en: name } } };
  const { status } = await call(`PATCH /api/public/cms/guests/guest_${number}`, { key: document.keys.editor, body });
  expect(status).toBe(200);
};

const expectColumnsOf = async (count: number) => {
  const { chunks, rows, made } = await columns();
  expect(rows).toHaveLength(count);
  expect(rows).toEqual(made);
  expect(await strays()).toEqual([]);
  return chunks.map(([partId]) => partId);
};

it('the columns of a first import are those of its entries, in several parts', async () => {
  expect((await expectColumnsOf(1_300)).length).toBeGreaterThan(2);
});

it('an import of some entries changes only their rows, and includes recent changes of the service', async () => {
  await update(300, 'Updated before');
  const before = await expectColumnsOfBase();
  const { changed } = await importGuests([guest(10, 'Other'), guest(11, 'Another'), guest(1_300)]);
  expect(changed).toBe(3);
  const after = await expectColumnsOf(1_301);
  expect(after.map((partId) => before.includes(partId))).toEqual([false, true, false]);
  const { rows } = await columns();
  const cells = new Map(rows.map(([key, , values]) => [key.split('#')[1], JSON.stringify(values)]));
  expect(cells.get('guest_300')).toContain('Updated before');
  expect([cells.get('guest_10'), cells.get('guest_1')]).toEqual([
    expect.stringContaining('Other'),
    expect.stringContaining('Guest 1'),
  ]);
});

it('pruning removes the rows of the removed entries', async () => {
  await importGuests(
    numbers.slice(0, 800).map((number) => guest(number)),
    { prune: true },
  );
  await expectColumnsOf(800);
});

const expectColumnsOfBase = async () => (await columns()).chunks.map(([partId]) => partId);
