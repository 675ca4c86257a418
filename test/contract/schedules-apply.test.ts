import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/schedules-apply/handler.ts';
import { eventKeys } from '#lib/table/events/keys.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { dueItems } from '#test/support/due-items.ts';
import { itLong } from '#test/support/long-run.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const hour = 60 * 60_000;
const now = Date.now();
/** A time in this number of hours. */
const inHours = (hours: number, milliseconds = 0): string => new Date(now + hours * hour + milliseconds).toISOString();

/** A run of the schedule, just after a time in this number of hours. */
const runAfter = (hours: number, milliseconds = 1) =>
  handler({ time: inHours(hours, milliseconds) } as ScheduledEvent, { getRemainingTimeInMillis: () => 60_000 });

const actor = { type: 'schedule', id: null, name: 'Schedule' };
const entryPath = 'cms-entries/notes/note_1';

let room: Workspace<'records'>;
beforeAll(openOwnTable);
beforeEach(async () => {
  room = await openWorkspace('records', (document) => {
    const title = { key: 'publishAt', name: { en: 'Title' }, type: 'text' };
    const fields = [title, { key: 'code', name: { en: 'Code' }, type: 'number' }];
    document.cms = {
      models: [{ id: 'notes', name: { en: 'Notes' }, fields }],
      entries: [{ id: 'note_1', modelId: 'notes', published: false, values: { publishAt: 'a field of this name' } }],
    };
  });
});

/** The times at which something of the workspace is due. */
const dueTimes = async () =>
  (await dueItems('schedule'))
    .filter(({ workspaceId }) => workspaceId === room.workspaceId)
    .map(({ at }) => at)
    .sort();

const patch = (path: string, body: object) => room.manage(`PATCH ${path}`, body);
const read = async (path: string) => (await room.manage(`GET ${path}`)).json;
const timesOf = ({ published, publishAt, unpublishAt }: Document) => [published, publishAt, unpublishAt];
const eventsOf = async (path: string): Promise<Document[]> => {
  const [kind, ...id] = path.split('/');
  return (await room.manage(`GET audit-events?recordKind=${kind}&recordId=${id.join('/')}`)).json.data;
};
/** The ids of the kept versions, newest first. */
const versionsOf = async (path: string): Promise<string[]> => {
  const [kind = '', ...id] = path.split('/');
  const { pk } = eventKeys.version(room.workspaceId, kind, id.join('/'), '');
  return (await Array.fromAsync(testTable().query({ pk, descending: true }))).map(({ sk }) => sk);
};
const feed = async (): Promise<Document[]> =>
  (await call('GET /api/v1/events?limit=100', { key: room.keys.all })).json.data;

describe.each([
  ['an entry', entryPath, 'cms_entry'],
  ['a product', 'menu-products/prod_1', 'menu_product'],
])('the times of %s', (_, path, type) => {
  // One function applies the times of both kinds.
  const itOnce = path === entryPath ? it : itLong;

  it('publish and unpublish it when they have come and not before, each with one event of the schedule', async () => {
    const body = { published: false, publishAt: inHours(1), unpublishAt: inHours(3) };
    const written = await patch(path, body);
    expect(written).toMatchObject({ status: 200, json: body });
    expect(await dueTimes()).toHaveLength(2);
    await runAfter(1, 0);
    expect(await read(path)).toEqual(written.json);

    await runAfter(1);
    const published = await read(path);
    expect(timesOf(published)).toEqual([true, null, inHours(3)]);
    expect(published.updatedAt > written.json.updatedAt).toBe(true);
    await runAfter(4);
    expect(timesOf(await read(path))).toEqual([false, null, null]);
    await runAfter(5);

    expect(await dueTimes()).toEqual([]);
    const [kind] = path.split('/');
    const change = { actor, action: 'update', recordKind: kind, requestId: null };
    expect((await eventsOf(path)).slice(0, 3)).toMatchObject([
      { ...change, changed: ['published', 'unpublishAt'] },
      { ...change, changed: ['publishAt', 'published'] },
      { actor: { type: 'key' } },
    ]);
    expect(await versionsOf(path)).toEqual((await eventsOf(path)).map(({ id }) => id));
    expect((await feed()).slice(-2)).toMatchObject([
      { type: `${type}.published`, kind, actor, requestId: null, changed: ['publishAt', 'published'] },
      { type: `${type}.unpublished`, kind, actor, requestId: null },
    ]);
  });

  itOnce('are applied by the write that names one in the past, as a change of its caller', async () => {
    await patch(path, { published: false });
    const { json } = await patch(path, { publishAt: inHours(-1), unpublishAt: inHours(2) });
    expect(timesOf(json)).toEqual([true, null, inHours(2)]);
    expect((await eventsOf(path))[0]).toMatchObject({ actor: { type: 'key' }, changed: ['published', 'unpublishAt'] });
    const both = await patch(path, { publishAt: inHours(-2), unpublishAt: inHours(-1) });
    expect(timesOf(both.json)).toEqual([false, null, null]);
    expect(await dueTimes()).toEqual([]);
    const before = await eventsOf(path);
    expect(await patch(path, { unpublishAt: inHours(-9) })).toMatchObject({ status: 200, json: both.json });
    expect(await eventsOf(path)).toEqual(before);
  });

  itOnce('that come in the same run are applied in their order, with an event of each', async () => {
    await patch(path, { published: false, publishAt: inHours(1), unpublishAt: inHours(1, 1) });
    await runAfter(2);
    expect(timesOf(await read(path))).toEqual([false, null, null]);
    const types = (await feed()).filter((event) => event['actor'].type === 'schedule').map((event) => event['type']);
    expect(types).toEqual([`${type}.published`, `${type}.unpublished`]);
  });

  itOnce('that have passed are forgotten by a restore, which applies none of them', async () => {
    const publishAt = new Date(Date.now() + 400).toISOString();
    await patch(path, { published: false, publishAt, unpublishAt: inHours(1) });
    const [version] = (await room.manage(`GET ${path}/versions`)).json.data;
    await patch(path, { published: true, publishAt: null, unpublishAt: null });
    while (new Date().toISOString() <= publishAt) await pause(50);
    const { status, json } = await room.manage(`POST ${path}/restore`, { version: version.id });
    expect([status, timesOf(json), await dueTimes()]).toEqual([200, [false, null, inHours(1)], [inHours(1)]]);
  });

  itOnce('end without an event where the record is already published', async () => {
    const written = await patch(path, { published: true, publishAt: inHours(1) });
    const before = [await eventsOf(path), await versionsOf(path)];
    await runAfter(1);
    expect(await read(path)).toEqual({ ...written.json, publishAt: null });
    expect([await eventsOf(path), await versionsOf(path), await dueTimes()]).toEqual([...before, []]);
  });

  itOnce('stay when somebody changes the record, move with it, and go with it', async () => {
    await patch(path, { published: false, publishAt: inHours(1), unpublishAt: inHours(2) });
    expect(timesOf((await patch(path, { published: true })).json)).toEqual([true, inHours(1), inHours(2)]);
    await patch(path, { published: false, publishAt: inHours(1.5) });
    await runAfter(1);
    expect((await read(path)).published).toBe(false);
    expect(await dueTimes()).toEqual([inHours(1.5), inHours(2)]);
    await patch(path, { publishAt: null });
    await runAfter(1.5);
    expect((await read(path)).published).toBe(false);
    expect((await room.manage(`DELETE ${path}`)).status).toBe(204);
    expect(await dueTimes()).toEqual([]);
  });

  itOnce('are removed by a PUT without them, which also applies what has passed', async () => {
    const { createdAt, updatedAt, publishAt, unpublishAt, ...record } = await read(path);
    await patch(path, { published: false, publishAt: inHours(1) });
    const { json } = await room.manage(`PUT ${path}`, { ...record, published: false });
    expect([timesOf(json), await dueTimes()]).toEqual([[false, null, null], []]);
    const next = await room.manage(`PUT ${path}`, { ...record, published: false, publishAt: inHours(-1) });
    expect(timesOf(next.json)).toEqual([true, null, null]);
  });

  itOnce('must be in order as instants, in the merged record', async () => {
    await patch(path, { publishAt: '2099-01-01T12:00:00+03:00' });
    const wrong = ['2099-01-01T09:00:00Z', '2099-01-01T11:59:59.999+03:00', inHours(-1)];
    for (const unpublishAt of wrong) {
      expect([unpublishAt, await patch(path, { unpublishAt })]).toMatchObject([
        unpublishAt,
        { status: 400, json: { errors: [{ path: 'unpublishAt', code: 'not_allowed' }] } },
      ]);
    }
    expect((await patch(path, { unpublishAt: '2099-01-01T09:00:00.001Z' })).status).toBe(200);
    for (const publishAt of ['tomorrow', 5, '2026-02-30T00:00:00Z']) {
      expect((await patch(path, { publishAt })).json.errors).toMatchObject([{ path: 'publishAt' }]);
    }
  });

  itOnce('wait while an import holds the kind', async () => {
    await patch(path, { published: false, publishAt: inHours(1) });
    const lease = keys.importLease(room.workspaceId);
    await testTable().put({ ...lease, owner: 'x', renewal: 'y', renewedAt: new Date().toISOString() });
    await runAfter(1);
    expect((await read(path)).published).toBe(false);
    await testTable().update(lease, {
      UpdateExpression: 'SET kinds = :kinds',
      ExpressionAttributeValues: { ':kinds': ['form'] },
    });
    await runAfter(1);
    expect(timesOf(await read(path))).toEqual([true, null, null]);
  });
});

it('the update of the contract publishes an entry, leaves its times, and cannot name them', async () => {
  await patch(entryPath, { published: false, publishAt: inHours(1), unpublishAt: inHours(2) });
  const update = (values: object) =>
    call('PATCH /api/public/cms/notes/note_1', { key: room.keys.all, body: { values } });
  expect((await update({ published: true })).status).toBe(200);
  expect(timesOf(await read(entryPath))).toEqual([true, inHours(1), inHours(2)]);
  expect((await update({ unpublishAt: inHours(3) })).status).toBe(400);
  await runAfter(2);
  expect(timesOf(await read(entryPath))).toEqual([false, null, null]);
});

describe('a document', () => {
  it('keeps times that come, applies those that have passed, and changes nothing when it is imported again', async () => {
    await patch(entryPath, { published: false, publishAt: inHours(1) });
    await patch('menu-products/prod_1', { published: false, publishAt: inHours(2) });
    const document = await exported(room.workspaceId);
    expect(document.cms.entries[0]).toMatchObject({ publishAt: inHours(1), unpublishAt: null });
    expect((await importFile(document)).changed).toBe(0);
    const [entry, product] = [document.cms.entries[0], document.menu.products[0]];
    Object.assign(entry, { publishAt: inHours(-1), unpublishAt: inHours(4) });
    Object.assign(product, { publishAt: inHours(3) });
    const { changed } = await importFile(document);
    expect(changed).toBe(2);
    expect(timesOf(await read(entryPath))).toEqual([true, null, inHours(4)]);
    expect((await importFile(document)).changed).toBe(0);
    await runAfter(2);
    expect((await read('menu-products/prod_1')).published).toBe(false);
    await runAfter(4);
    expect((await read('menu-products/prod_1')).published).toBe(true);
    expect(timesOf(await read(entryPath))).toEqual([false, null, null]);
    expect(await dueTimes()).toEqual([]);
  });

  it('with an end before the beginning is refused', async () => {
    const document = await exported(room.workspaceId);
    Object.assign(document.menu.products[1], { publishAt: inHours(2), unpublishAt: inHours(2) });
    const { failures } = await importFile(document);
    expect(failures).toMatchObject([{ path: 'unpublishAt', code: 'not_allowed' }]);
  });
});

it('public answers have no times, and a database may have a field of that name', async () => {
  await patch(entryPath, { published: true, unpublishAt: inHours(1) });
  await patch('menu-products/prod_1', { unpublishAt: inHours(1) });
  const key = room.keys.all;
  const { json } = await call('GET /api/public/cms/notes/list?limit=10', { key });
  expect(json).toMatchObject([{ publishAt: 'a field of this name' }]);
  expect(json[0]).not.toHaveProperty('unpublishAt');
  expect((await call('GET /api/public/cms/notes/list?sort=unpublishAt', { key })).status).toBe(400);
  for (const query of ['sort=unpublishAt', 'filter[unpublishAt.exists]=true'])
    expect((await room.manage(`GET cms-entries?modelId=notes&${query}`)).status).toBe(400);
  const products = await call('GET /api/public/menu/products', { key });
  expect(products.text).not.toContain('ublishAt');
});
