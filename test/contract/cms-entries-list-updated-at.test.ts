import { describe, expect, it } from '@jest/globals';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { readLog } from '#lib/table/collection/log.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const many = 700;
const idOf = (index: number) => `n${String(index).padStart(3, '0')}`;
const timeOf = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
const note = (index: number) => ({
  id: idOf(index),
  modelId: 'notes',
  createdAt: timeOf(index),
  updatedAt: timeOf(many - index),
  values: { rank: index % 7, data: null },
});
const entries = Array.from({ length: many }, (_, index) => note(index));
const fields = [
  { key: 'rank', name: { en: 'Rank' }, type: 'number' },
  { key: 'data', name: { en: 'Data' }, type: 'json' },
];
const model = { id: 'notes', name: { en: 'Notes' }, fields };

const openNotes = () =>
  openWorkspace('kitchen', ({ cms }) => {
    cms.models.push(model);
    cms.entries.push(...entries);
  });

type Notes = Awaited<ReturnType<typeof openNotes>>;

async function list(notes: Notes, query: Record<string, string>) {
  const parameters = new URLSearchParams({ fields: 'id', ...query });
  const { status, json, headers } = await call(`GET /api/public/cms/notes/list?${parameters}`, {
    key: notes.keys.chief,
  });
  expect(status).toBe(200);
  return { ids: json.map(({ id }: { id: string }) => id) as string[], total: Number(headers['x-cms-total']) };
}

async function patch(notes: Notes, index: number, values: object): Promise<void> {
  const answer = await call(`PATCH /api/public/cms/notes/${idOf(index)}`, { key: notes.keys.chief, body: { values } });
  expect(answer.status).toBe(200);
}

const newest = async (notes: Notes, limit = 3) =>
  (await list(notes, { sort: '-updatedAt', limit: String(limit) })).ids.join();
const since2026 = { 'filter[updatedAt][gt]': '2026-01-31' };

/** Makes the current base some minutes older. */
const makeBaseOld = (scope: ReturnType<typeof entryListScope>) =>
  testTable().update(headKey(scope), {
    UpdateExpression: 'SET since = :then',
    ExpressionAttributeValues: { ':then': Date.now() - 120_000 },
  });

describe('updatedAt of a list', () => {
  it('changes with updates of every field, in the next list', async () => {
    const notes = await openNotes();
    expect(await newest(notes)).toBe('n000,n001,n002');
    expect(await list(notes, since2026)).toMatchObject({ total: 0 });
    await patch(notes, 300, { data: { a: 1 } });
    expect(await newest(notes)).toBe('n300,n000,n001');
    await patch(notes, 400, { rank: 3 });
    await patch(notes, 300, { data: { a: 1 } });
    await patch(notes, 500, { published: false });
    expect(await newest(notes)).toBe('n500,n300,n400');
    expect(await list(notes, since2026)).toEqual({ ids: ['n500', 'n400', 'n300'], total: 3 });
    expect(await list(notes, { ...since2026, published: 'false' })).toMatchObject({ total: 1 });
  });

  it('survives imports and compactions, which remove it from the log', async () => {
    const notes = await openNotes();
    const scope = entryListScope(notes, 'notes');
    const { workspace } = notes.document;
    for (const index of [10, 20, 30]) await patch(notes, index, { data: index });
    await load({ version: 1, workspace, cms: { models: [model], entries: [{ ...note(20), values: { rank: 1 } }] } });
    expect(await newest(notes)).toBe('n030,n010,n000');
    await patch(notes, 40, { data: 4 });
    await makeBaseOld(scope);
    expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await newest(notes)).toBe('n040,n030,n010');
    await makeBaseOld(scope);
    await patch(notes, 50, { data: 5 });
    expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await newest(notes)).toBe('n050,n040,n030');
    // The import has changed n020 again, so its log item may stay for a minute.
    const logged = (await readLog(testTable(), scope)).map(({ id }) => id);
    expect(logged.filter((id) => id !== 'n020')).toEqual(['n050']);
  });

  it("costs one small read beside the page's entries, and one more in an update's transaction", async () => {
    const notes = await openNotes();
    await newest(notes);
    const costOf = async (work: () => Promise<unknown>) => {
      const [line = '{}'] = (await capturedLines(work)).filter((text) => text.includes('"route"'));
      return JSON.parse(line).dynamodb;
    };
    // The key, the schema and the head of the list; the page; and the log.
    expect(await costOf(() => newest(notes, 5))).toMatchObject({ calls: { Query: 1 } });
    expect((await costOf(() => newest(notes, 5))).readUnits).toBeLessThanOrEqual(5 + 5);
    const update = await costOf(() => patch(notes, 1, { data: 2 }));
    expect(update.calls).toMatchObject({ TransactWriteItems: 1 });
    expect(update.calls.UpdateItem ?? 0).toBeLessThanOrEqual(1);
    const log = await readLog(testTable(), entryListScope(notes, 'notes'));
    expect(log.map(({ id, stamp }) => [id, stamp])).toEqual([['n001', true]]);
  });
});
