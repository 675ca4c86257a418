import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/collections-compact/handler.ts';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection, compactWorkspace } from '#lib/table/collection/compact-collections.ts';
import { type CollectionHead, headKey } from '#lib/table/collection/head.ts';
import { importedCollections, importMarkUpdate } from '#lib/table/collection/import-announcement.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys as tableKeys } from '#lib/table/keys.ts';
import type { LogState } from '#lib/table/log/change-log.ts';
import { noteLongLog } from '#lib/table/log/write-log.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import { relationScope } from '#lib/table/menu/relation-base.ts';
import { call } from '#test/support/call.ts';
import { dueItems } from '#test/support/due-items.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { pageOf, product, withProducts } from '#test/support/menu.ts';
import { ageBase, ageChanges, loggedChanges } from '#test/support/old-log.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { importFile, testTable } from '#test/support/world.ts';

// Its own table, because a compaction covers all workspaces.
await openOwnTable();
const ids = Array.from({ length: 6 }, (_, index) => `note_${String(index).padStart(3, '0')}`);
const dish = { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } };
const title = { key: 'title', name: { en: 'Title' }, type: 'text' };
const { keys, workspaceId, document } = await openWorkspace(
  'kitchen',
  withProducts([product('tea'), product('rice')], ({ cms }) => {
    cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields: [title, dish] });
    cms.entries.push(...ids.map((id) => ({ id, modelId: 'notes', values: { title: 'before' } })));
  }),
);
const models = ['notes', 'chefs', 'things'].map((modelId) => entryListScope({ workspaceId }, modelId));
const scopes = [menuScope({ workspaceId }), relationScope({ workspaceId }), ...models];
const [menu, relations, notes] = scopes as [(typeof scopes)[0], (typeof scopes)[0], (typeof scopes)[0]];

const headOf = async (scope = notes) => (await testTable().get(headKey(scope))) as CollectionHead | undefined;
const bases = () => Promise.all([menu, relations, notes].map(async (scope) => (await headOf(scope))?.base));
const partsOf = (scope = notes) => {
  const { pk } = headKey(scope);
  return Array.fromAsync(testTable().query({ pk, from: 'PART#', to: 'PART#~' }));
};
const isMarked = async () =>
  importedCollections(((await testTable().get(tableKeys.logState(workspaceId))) ?? {}) as LogState);
const endLease = () => removeAll(testTable(), [tableKeys.importLease(workspaceId)]);
const isNoted = async () => (await dueItems('compaction')).length > 0;
const compactAll = () =>
  handler({ time: new Date().toISOString() } as ScheduledEvent, { getRemainingTimeInMillis: () => 55_000 });
const becomeCold = () => containerMemory.makeRoom(Number.POSITIVE_INFINITY);
const ageBases = async () => {
  for (const scope of scopes) await ageBase(scope);
};

async function update(id: string, values: object): Promise<void> {
  const body = { values };
  const { status, text } = await call(`PATCH /api/public/cms/notes/${id}?fields=id`, { key: keys.chief, body });
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

/** What every list shows: the notes of each product, and the notes in two orders. */
async function shown() {
  const { data } = await pageOf('products', keys.reader);
  const queries = ['limit=100&fields=id,title', 'sort=-title,id&fields=id,title', 'sort=-updatedAt&fields=id&limit=3'];
  const lists = await Promise.all(
    queries.map(async (query) => (await call(`GET /api/public/cms/notes/list?${query}`, { key: keys.chief })).text),
  );
  return { products: data.map(({ id, cmsData }) => [id, cmsData]), lists };
}

/** Expects a warm and a cold container to show the same. */
async function expectShown(expected: Awaited<ReturnType<typeof shown>>): Promise<void> {
  expect(await shown()).toEqual(expected);
  becomeCold();
  expect(await shown()).toEqual(expected);
}

let round = 0;
async function changeAll(): Promise<void> {
  round++;
  for (const id of ids) await update(id, { title: `round ${round}`, dish: round % 2 === 0 ? 'tea' : 'rice' });
}
const shownAfterAll = () => changeAll().then(shown);

beforeEach(ageBases);

describe('the log of a workspace', () => {
  it('is folded into the bases of all lists, and what they include is removed', async () => {
    const expected = await shownAfterAll();
    await ageChanges(workspaceId);
    await noteLongLog(testTable(), workspaceId);
    const before = await bases();
    await compactAll();
    const after = await bases();
    expect(after.map((base, index) => base === before[index])).toEqual([true, false, false]);
    expect([await isNoted(), await loggedChanges(workspaceId)]).toEqual([false, []]);
    await expectShown(expected);
  });

  it('keeps the changes of the last minute, and a list that changes again shows both', async () => {
    await changeAll();
    await ageChanges(workspaceId);
    await update('note_001', { title: 'young' });
    const expected = await shown();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    expect((await loggedChanges(workspaceId)).map((item) => item['id'])).toEqual(['note_001']);
    await expectShown(expected);
    await update('note_002', { title: 'younger' });
    expect((await shown()).lists[1]).toContain('younger');
    await expectShown(await shown());
  });

  it('removes the parts of the former base a minute later', async () => {
    await changeAll();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    const former = (await partsOf()).length;
    // A reader may still use the parts of the former base.
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    expect(await partsOf()).toHaveLength(former);
    await changeAll();
    await ageBases();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    await changeAll();
    await ageBases();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    // The directories of two bases, with a chunk of rows and one of columns each.
    expect((await partsOf()).length).toBeLessThanOrEqual(6);
  });

  it('takes a list that never rests: changes beside the compaction are not lost', async () => {
    await changeAll();
    await ageChanges(workspaceId);
    const updates = ids.slice(0, 4).map((id) => update(id, { title: 'meanwhile' }));
    const [isDone] = await Promise.all([compactWorkspace(testTable(), workspaceId), ...updates]);
    expect(isDone).toBe(true);
    const expected = await shown();
    expect(expected.lists[0]?.match(/meanwhile/g)).toHaveLength(4);
    await expectShown(expected);
  });

  it('shows the same wherever its compaction is killed, and the next one completes it', async () => {
    const expected = await shownAfterAll();
    await ageChanges(workspaceId);
    for (let writes = 0; writes < 12; writes += isLongRun ? 1 : 5) {
      await ageBases();
      await compactWorkspace(new KillableTable(writes).table, workspaceId).catch(() => undefined);
      await expectShown(expected);
    }
    await ageBases();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    expect(await loggedChanges(workspaceId)).toEqual([]);
    await expectShown(expected);
  });

  it('is not compacted while an import writes to one of the lists', async () => {
    const expected = await shownAfterAll();
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate(notes.collection, true));
    await testTable().put({ ...tableKeys.importLease(workspaceId), renewedAt: new Date().toISOString() });
    const before = await headOf();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(false);
    expect([await headOf(), (await loggedChanges(workspaceId)).length > 0]).toEqual([before, true]);
    await endLease();
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate(notes.collection, false));
    await expectShown(expected);
  });

  it('is compacted beside the mark of an import that was interrupted', async () => {
    const expected = await shownAfterAll();
    await ageChanges(workspaceId);
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate(notes.collection, true));
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    expect([await loggedChanges(workspaceId), await isMarked()]).toEqual([[], [notes.collection]]);
    await expectShown(expected);
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate(notes.collection, false));
  });

  it('is not folded if an import begins after the list was read', async () => {
    const expected = await shownAfterAll();
    await ageChanges(workspaceId);
    const before = await headOf();
    const mark = importMarkUpdate(notes.collection, true);
    const beginning = new KillableTable(undefined, () => testTable().update(tableKeys.logState(workspaceId), mark));
    expect(await compactCollection(beginning.table, notes)).toBe(false);
    expect([await headOf(), (await loggedChanges(workspaceId)).length > 0]).toEqual([before, true]);
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate(notes.collection, false));
    await expectShown(expected);
  });

  it('is compacted after an import of any document has ended what an interrupted one has left', async () => {
    await changeAll();
    await ageChanges(workspaceId);
    const { version, workspace } = document;
    const entries = ids.map((id) => ({ id, modelId: 'notes', values: { title: 'imported' } }));
    const interrupted = { version, workspace, cms: { entries } };
    for (let writes = 2; !(await isMarked()).includes(notes.collection); writes++) {
      await expect(importFile(interrupted, {}, new KillableTable(writes).table)).rejects.toThrow();
      await endLease();
    }
    // A database that was removed over HTTPS after the interruption.
    await testTable().update(tableKeys.logState(workspaceId), importMarkUpdate('cms#gone', true));
    expect(await isMarked()).toEqual(expect.arrayContaining(['cms#gone', 'cms#notes']));
    expect((await importFile({ version, workspace })).failures).toEqual([]);
    expect(await isMarked()).toEqual([]);
    expect(await headOf(entryListScope({ workspaceId }, 'gone'))).toBeUndefined();
    const expected = await shown();
    await ageBases();
    expect(await compactWorkspace(testTable(), workspaceId)).toBe(true);
    expect(await loggedChanges(workspaceId)).toEqual([]);
    await expectShown(expected);
  });

  it('is noted by some of many writers once it is long', async () => {
    for (let rounds = 0; rounds < 40 && !(await isNoted()); rounds++) await changeAll();
    expect(await isNoted()).toBe(true);
  });
});

describe('a database that is removed and made again', () => {
  it('has only its new entries, in every list, whatever was compacted in between', async () => {
    const { manage, secretOf, workspaceId: own } = await openWorkspace('records');
    const model = { id: 'days', name: { en: 'Days' }, fields: [{ ...title, required: true }] };
    const bases = [menuScope({ workspaceId: own }), relationScope({ workspaceId: own })];
    const days = entryListScope({ workspaceId: own }, 'days');
    const compactAged = async () => {
      await ageChanges(own);
      for (const scope of [...bases, days]) await ageBase(scope);
      expect(await compactWorkspace(testTable(), own)).toBe(true);
    };
    const ask = async (request: string, body?: object) => {
      const { status, json } = await manage(request, body);
      if (status >= 300) throw new Error(`${status} for ${request}: ${JSON.stringify(json)}`);
    };
    const listed = async (query: string) => {
      const key = secretOf('all');
      const { status, json } = await call(`GET /api/public/cms/days/list?fields=id&${query}`, { key });
      return status === 200 ? json.map(({ id }: { id: string }) => id) : [status];
    };
    for (const name of ['one', 'two', 'three']) {
      await ask('POST cms-models', model);
      await ask(`PUT cms-entries/days/${name}`, { values: { title: name } });
      for (const query of ['', 'sort=title', `filter[title]=${name}`]) expect(await listed(query)).toEqual([name]);
      if (name === 'two') await compactAged();
      await ask(`DELETE cms-entries/days/${name}`);
      await ask('DELETE cms-models/days');
      if (name === 'two') await compactAged();
      expect(await listed('')).toEqual([404]);
    }
    becomeCold();
    await ask('POST cms-models', model);
    for (const query of ['', 'sort=title', 'search=one']) expect(await listed(query)).toEqual([]);
  });
});
