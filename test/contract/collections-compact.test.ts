import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/collections-compact/handler.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { type CollectionHead, headKey, newChangeId } from '#lib/table/collection/head.ts';
import { keys as tableKeys } from '#lib/table/keys.ts';
import { relationScope } from '#lib/table/menu/product-relations.ts';
import type { Item } from '#lib/table/schema.ts';
import { call } from '#test/support/call.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { pageOf, product, timeAtSecond, withProducts } from '#test/support/menu.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

// Its own table, because a compaction covers all workspaces.
await openOwnTable();
const ids = Array.from({ length: 20 }, (_, index) => `note_${String(index).padStart(3, '0')}`);
const dish = { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } };
const title = { key: 'title', name: { en: 'Title' }, type: 'text' };
const document = await openWorkspace(
  'kitchen',
  withProducts([product('tea'), product('rice')], ({ cms }) => {
    cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields: [title, dish] });
    cms.entries.push(...ids.map((id) => ({ id, modelId: 'notes', values: { title: 'before' } })));
  }),
);
const { keys, workspaceId } = document;
const scope = relationScope({ workspaceId });

const compactAll = () => handler({} as ScheduledEvent, { getRemainingTimeInMillis: () => 55_000 });
const head = async () => (await testTable().get(headKey(scope))) as (Item & CollectionHead) | undefined;
const logged = () => Array.fromAsync(testTable().query({ pk: tableKeys.changeLog(workspaceId, scope.collection) }));
const parts = () =>
  Array.fromAsync(
    testTable().query({ pk: tableKeys.index(workspaceId, scope.collection), from: 'PART#', to: 'PART#~' }),
  );
/** Whether the log is marked as long. By chance, one of many writers marks the log of another collection. */
const isMarked = async () => (await testTable().get(tableKeys.longLog(workspaceId, scope.collection))) !== undefined;

/** Makes the current base some minutes older. */
const makeBaseOld = () =>
  testTable().update(headKey(scope), {
    UpdateExpression: 'SET since = :then',
    ExpressionAttributeValues: { ':then': Date.now() - 120_000 },
  });

async function update(id: string, values: object): Promise<void> {
  const { status, text } = await call(`PATCH /api/public/cms/notes/${id}?fields=id`, {
    key: keys.chief,
    body: { values },
  });
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

/** The titles of the notes that the menu shows with a product, by id. */
async function notesOf(productId: string): Promise<Record<string, string>> {
  const { data } = await pageOf('products', keys.reader, { ids: productId });
  const notes: { id: string; title: string }[] = data[0].cmsData.notes ?? [];
  return Object.fromEntries(notes.map((note) => [note.id, note.title]));
}

const textForEach = (text: string) => Object.fromEntries(ids.map((id) => [id, text]));
let round = 0;

/** Updates every note, so that the log is long. @returns the notes in the menu afterwards */
async function makeLogLong(): Promise<Record<string, string>> {
  await testTable().update(headKey(scope), {
    UpdateExpression: 'SET baseVersion = :before',
    ExpressionAttributeValues: { ':before': ((await head())?.version ?? 0) - 90 },
  });
  round++;
  for (const id of ids) await update(id, { title: `round ${round}`, dish: 'tea' });
  return textForEach(`round ${round}`);
}

beforeEach(async () => {
  await load({ version: 1, workspace: document.document.workspace });
});

describe('the log of an often changed list', () => {
  it('is compacted into a new index; the next run removes the items that are no longer needed', async () => {
    const expected = await makeLogLong();
    expect(await isMarked()).toBe(true);
    const before = await head();
    await compactAll();
    // A reader may still use the items of the former base.
    expect((await head())?.base).toBe(before?.base);
    await makeBaseOld();
    await compactAll();
    expect((await head())?.base).not.toBe(before?.base);
    expect(await isMarked()).toBe(false);
    expect(await notesOf('tea')).toEqual(expected);
    expect((await logged()).length).toBeGreaterThanOrEqual(ids.length);

    await update('note_000', { title: 'later' });
    await makeBaseOld();
    await compactCollection(testTable(), scope);
    expect(await logged()).toHaveLength(1);
    expect(await notesOf('tea')).toEqual({ ...expected, note_000: 'later' });
    await update('note_001', { title: 'even later' });
    await makeBaseOld();
    await compactCollection(testTable(), scope);
    expect(await logged()).toHaveLength(1);
    // The directories and changed chunks of the current and the former base, and the chunk that both share.
    expect(await parts()).toHaveLength(5);
    expect(await notesOf('tea')).toEqual({ ...expected, note_000: 'later', note_001: 'even later' });
  });

  it('keeps the earlier of two changes of a record for a minute, because its transaction may not have ended', async () => {
    const fold = async () => {
      await makeBaseOld();
      expect(await compactCollection(testTable(), scope)).toBe(true);
    };
    const loggedOfLast = async () => (await logged()).filter((item) => item['id'] === 'note_019');
    await fold();
    await fold();
    expect(await loggedOfLast()).toEqual([]);
    await update('note_019', { title: 'earlier' });
    const [earlier] = await loggedOfLast();
    if (!earlier) throw new Error('The update is logged.');
    await update('note_019', { title: 'later' });
    await fold();
    await fold();
    expect(await loggedOfLast()).toEqual([earlier]);
    const minuteAgo = (Date.now() - 61_000).toString(36).padStart(9, '0');
    await testTable().write([
      { remove: earlier },
      { put: { ...earlier, sk: `${minuteAgo}${earlier.sk.slice(minuteAgo.length)}` } },
    ]);
    await update('note_018', { title: 'next' });
    await fold();
    await fold();
    expect(await loggedOfLast()).toEqual([]);
    expect(await notesOf('tea')).not.toHaveProperty('note_019', 'earlier');
  });

  it('accepts changes during its compaction, and loses none', async () => {
    const expected = await makeLogLong();
    await makeBaseOld();
    const updates = ids.slice(0, 15).map((id) => update(id, { title: 'meanwhile' }));
    const [isDone] = await Promise.all([compactCollection(testTable(), scope), ...updates]);
    const changed = Object.fromEntries(ids.slice(0, 15).map((id) => [id, 'meanwhile']));
    expect(await notesOf('tea')).toEqual({ ...expected, ...changed });
    // Running changes may leave the compaction to the next run.
    if (!isDone) expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await notesOf('tea')).toEqual({ ...expected, ...changed });
  });

  it('shows the same contents wherever its compaction is killed', async () => {
    const expected = await makeLogLong();
    for (let writes = 0; writes < 5; writes++) {
      await makeBaseOld();
      await compactCollection(new KillableTable(writes).table, scope).catch(() => undefined);
      expect(await notesOf('tea')).toEqual(expected);
    }
    await makeBaseOld();
    await compactCollection(testTable(), scope);
    expect(await notesOf('tea')).toEqual(expected);
  });

  it('is compacted in several runs if it is too long for one', async () => {
    const expected = await makeLogLong();
    const minutesAgo = (Date.now() - 600_000).toString(36).padStart(9, '0');
    // Random ids of this length do not fit into one item.
    const longLog = Array.from({ length: 800 }, () => {
      const change = randomBytes(6).toString('hex');
      const id = randomBytes(675).toString('base64url');
      const key = tableKeys.loggedChange(workspaceId, scope.collection, `${minutesAgo}${change}`, id);
      return { put: { ...key, kind: 'cmsEntry', modelId: 'notes', id, createdAt: timeAtSecond(0), revision: null } };
    });
    await testTable().write(longLog);
    let runs = 0;
    for (let isDone = false; !isDone && runs < 10; runs++) {
      await makeBaseOld();
      isDone = await compactCollection(testTable(), scope);
    }
    expect(runs).toBeGreaterThan(1);
    await makeBaseOld();
    await compactCollection(testTable(), scope);
    expect((await logged()).length).toBeLessThan(100);
    expect(await notesOf('tea')).toEqual(expected);
  });

  it('is not compacted during an import', async () => {
    await update('note_000', { title: 'waiting' });
    await makeBaseOld();
    const importing = { UpdateExpression: 'SET #import = :id', ExpressionAttributeNames: { '#import': 'import' } };
    await testTable().update(headKey(scope), { ...importing, ExpressionAttributeValues: { ':id': 'running' } });
    const before = await head();
    expect(await compactCollection(testTable(), scope)).toBe(true);
    expect(await head()).toEqual(before);
  });
});

describe('a writer that died after it announced a change', () => {
  const announcement = (age: number) => {
    const time = (Date.now() - age).toString(36).padStart(9, '0');
    return `p#${time}${newChangeId().slice(9)}`;
  };
  const announce = (name: string) =>
    testTable().update(headKey(scope), {
      UpdateExpression: 'SET #name = :one',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':one': 1 },
    });

  it('leaves an announcement that is removed after the longest lifetime of a request', async () => {
    const old = announcement(16 * 60_000);
    const young = announcement(60_000);
    await announce(old);
    await announce(young);
    await update('note_002', { title: 'seen', dish: 'rice' });
    expect(await notesOf('rice')).toMatchObject({ note_002: 'seen' });
    expect(await isMarked()).toBe(true);
    await makeBaseOld();
    await compactAll();
    const now = await head();
    expect([now?.[old as never], now?.[young as never]]).toEqual([undefined, 1]);
    expect(await notesOf('rice')).toMatchObject({ note_002: 'seen' });
  });
});
