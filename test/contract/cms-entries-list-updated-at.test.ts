import { describe, expect, it } from '@jest/globals';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { ageBase, ageState, loggedChanges } from '#test/support/old-log.ts';
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

  it('survives imports and compactions', async () => {
    const notes = await openNotes();
    const scope = entryListScope(notes, 'notes');
    const { workspace } = notes.document;
    for (const index of [10, 20, 30]) await patch(notes, index, { data: index });
    await load({ version: 1, workspace, cms: { models: [model], entries: [{ ...note(20), values: { rank: 1 } }] } });
    expect(await newest(notes)).toBe('n030,n010,n000');
    await patch(notes, 40, { data: 4 });
    await ageBase(scope);
    expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await newest(notes)).toBe('n040,n030,n010');
    await ageBase(scope);
    await patch(notes, 50, { data: 5 });
    expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await newest(notes)).toBe('n050,n040,n030');
  });

  it("costs no more than the page's entries and the end of the log, and one item in an update's transaction", async () => {
    const notes = await openNotes();
    await ageState(notes.workspaceId);
    await patch(notes, 1, { data: 1 });
    await newest(notes);
    const costOf = async (work: () => Promise<unknown>) => {
      const [line = '{}'] = (await capturedLines(work)).filter((text) => text.includes('"route"'));
      return JSON.parse(line).dynamodb;
    };
    // The key, the schema and the workspace's language; the log; and the page.
    expect(await costOf(() => newest(notes, 5))).toMatchObject({ calls: { BatchGetItem: 2, Query: 1 } });
    expect((await costOf(() => newest(notes, 5))).readUnits).toBeLessThanOrEqual(5 + 4);
    const update = await costOf(() => patch(notes, 1, { data: 2 }));
    expect(update.calls).toMatchObject({ TransactWriteItems: 1 });
    expect(update.calls).not.toHaveProperty('UpdateItem');
    const [first, second] = await loggedChanges(notes.workspaceId);
    // After an import, the first change of an entry counts as one of its row.
    expect([first?.['sameRow'], second?.['sameRow']]).toEqual([undefined, true]);
  });
});
