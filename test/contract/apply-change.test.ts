import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { keys, type RecordKind } from '#lib/table/keys.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import { relationScope } from '#lib/table/menu/relation-base.ts';
import type { Item } from '#lib/table/schema.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import { ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { DecidedChange, RecordChange, WrittenKind, WrittenRecord } from '#lib/table/writer/change.ts';
import { applyChange } from '#test/support/apply-change.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret, withDraftsShown } from '#test/support/every-kind.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { allItems, comparable, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { storedState } from '#test/support/stored-state.ts';
import { type Document, load, storeWorkspace, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const scope = { workspaceId };
const key = siteSecret(workspaceId);
const now = new Date().toISOString();
let before: Item[];

beforeAll(async () => {
  await openOwnTable();
  await storeWorkspace(withDraftsShown(everyKind(workspaceId)));
  before = await allItems();
});
beforeEach(() => restoreItems(before));

const collections = [entryListScope(scope, 'dishes'), menuScope(scope), relationScope(scope)];

async function apply(change: RecordChange | DecidedChange, additionalWrites: object = {}) {
  const table = testTable();
  return applyChange(table, scope, change, {
    now,
    schema: await readCmsSchema(table.uncached(), scope),
    ...additionalWrites,
  });
}

/** The stored record, in the form that a change expects. */
async function stored(kind: WrittenKind, id: string): Promise<WrittenRecord | undefined> {
  const workspace = new StoredWorkspace(testTable(), workspaceId);
  if (kind === 'cmsEntry') {
    for await (const entry of workspace.entries('dishes')) if (entry.id === id) return entry;
    return undefined;
  }
  for await (const record of workspace.records(kind as RecordKind))
    if ((record as WrittenRecord).id === id) return record as WrittenRecord;
  return undefined;
}

const changes: readonly (readonly [string, WrittenKind, string, (document: Document) => void])[] = [
  [
    'an entry is replaced',
    'cmsEntry',
    'dish_2',
    ({ cms }) => Object.assign(cms.entries[1].values, { products: ['prod_1'] }),
  ],
  ['an entry is unpublished', 'cmsEntry', 'dish_1', ({ cms }) => Object.assign(cms.entries[0], { published: false })],
  ['an entry is removed', 'cmsEntry', 'dish_1', ({ cms }) => cms.entries.shift()],
  [
    'an entry is created',
    'cmsEntry',
    'dish_9',
    ({ cms }) =>
      cms.entries.push({
        id: 'dish_9',
        modelId: 'dishes',
        createdAt: '2025-01-01T00:00:00.000Z',
        updatedAt: '2025-01-01T00:00:00.000Z',
        values: { title: { en: 'Nine' }, products: ['prod_3'] },
      }),
  ],
  [
    'a product is renamed',
    'menuProduct',
    'prod_1',
    ({ menu }) => Object.assign(menu.products[0], { slug: 'renamed', name: { en: 'New' } }),
  ],
  ['a product is removed', 'menuProduct', 'prod_3', ({ menu }) => menu.products.pop()],
  [
    'a product is created',
    'menuProduct',
    'prod_4',
    ({ menu }) => menu.products.push({ ...menu.products[0], id: 'prod_4', slug: 'four' }),
  ],
  [
    'a category is replaced',
    'menuCategory',
    'cat_1',
    ({ menu }) => Object.assign(menu.categories[0], { name: { en: 'Starters' } }),
  ],
  ['a form is renamed', 'form', 'form_1', ({ forms }) => Object.assign(forms[0], { slug: 'renamed' })],
  ['a form is removed', 'form', 'form_2', ({ forms }) => forms.pop()],
  [
    'an agent is replaced',
    'agent',
    'agent_1',
    ({ messaging }) => Object.assign(messaging.agents[0], { name: 'Other' }),
  ],
  [
    'a channel gets another identifier',
    'channel',
    'ch_2',
    ({ messaging }) => Object.assign(messaging.channels[1], { identifier: '+966500000001' }),
  ],
  [
    'a notification is read',
    'notification',
    'not_1',
    ({ notifications }) => Object.assign(notifications[0], { readAt: null }),
  ],
  [
    'a response is replaced',
    'formResponse',
    'res_1',
    ({ formResponses }) => Object.assign(formResponses[0], { meta: {} }),
  ],
  ['an attachment is removed', 'attachment', 'att_1', (document) => Object.assign(document, { attachments: [] })],
  [
    'a conversation is replaced',
    'conversation',
    'conv_1',
    ({ messaging }) => Object.assign(messaging.conversations[0], { customerId: null }),
  ],
];

describe('a change of one record', () => {
  const some = ['an entry is unpublished', 'a product is removed', 'a form is renamed', 'an agent is replaced'];
  it.each(changes.filter(([title]) => isLongRun || some.includes(title)))(
    'has the result of an import of the changed document: %s',
    async (_, kind, id, change) => {
      const document = withDraftsShown(everyKind(workspaceId));
      change(document);
      await load(document, { prune: true });
      const expected = await storedState(scope, now);
      const record = await stored(kind, id);
      await restoreItems(before);
      await apply({ kind, id, ...(kind === 'cmsEntry' && { modelId: 'dishes' }), record: record ?? null });
      expect(await storedState(scope, now)).toEqual(expected);
      for (const collection of collections) {
        const { pk, sk } = headKey(collection);
        const table = testTable();
        const old = { UpdateExpression: 'SET since = :then', ExpressionAttributeValues: { ':then': 0 } };
        if (await table.get({ pk, sk })) await table.update({ pk, sk }, old);
        expect(await compactCollection(testTable(), collection)).toBe(true);
      }
      expect(await storedState(scope, now)).toEqual(expected);
    },
  );

  it('appears in the next lists, with the correct total', async () => {
    const list = () => call('GET /api/public/cms/dishes/list?maxDepth=0&fields=id', { key });
    const products = async () =>
      (await call(`GET /api/public/menu/products?apiKey=${key}`)).json.data.map(({ id, cmsData }: Document) => [
        id,
        cmsData.dishes?.map(({ id: dish }: Document) => dish),
      ]);
    await list();
    await products();
    const record = (await stored('cmsEntry', 'dish_2')) as Document;
    const created = { ...record, id: 'dish_8', createdAt: '2026-01-03T10:00:00.000Z' };
    expect(await apply({ kind: 'cmsEntry', modelId: 'dishes', id: 'dish_8', record: created })).toMatchObject({
      status: 'created',
    });
    const { json, headers } = await list();
    expect([headers['x-cms-total'], json.map(({ id }: Document) => id)]).toEqual([
      '6',
      ['dish_5', 'dish_4', 'dish_8', 'dish_3', 'dish_2', 'dish_1'],
    ]);
    expect(await products()).toContainEqual(['prod_2', ['dish_8', 'dish_2']]);
    await apply({ kind: 'cmsEntry', modelId: 'dishes', id: 'dish_2', record: null });
    expect((await list()).headers['x-cms-total']).toBe('5');
    await apply({ kind: 'menuProduct', id: 'prod_2', record: null });
    expect((await products()).map(([id]: [string]) => id)).toEqual(['prod_3', 'prod_1']);
  });

  it('writes nothing without a difference', async () => {
    for (const [, kind, id] of changes.filter(([title]) => title.endsWith('replaced'))) {
      const record = (await stored(kind, id)) as WrittenRecord;
      const modelId = { ...(kind === 'cmsEntry' && { modelId: 'dishes' }) };
      const withoutTimes = Object.entries(record).map(([name, value]) => [
        name,
        name.endsWith('dAt') ? undefined : value,
      ]);
      const unstamped = Object.fromEntries(withoutTimes) as WrittenRecord;
      for (const same of [record, unstamped]) {
        expect([kind, (await apply({ kind, id, ...modelId, record: same })).status]).toEqual([kind, 'unchanged']);
      }
      expect(await stored(kind, id)).toEqual(record);
    }
  });
});

describe('a change is refused, and nothing is stored', () => {
  const form = async () => (await stored('form', 'form_1')) as Document;
  const refused = (reason: string) => expect.objectContaining({ name: 'ChangeRefused', reason });

  it.each<[string, string, (record: Document) => RecordChange]>([
    ['missing', 'the removal of a record that is not there', () => ({ kind: 'form', id: 'form_9', record: null })],
    [
      'duplicate',
      'the slug of another record',
      (record) => ({ kind: 'form', id: 'form_1', record: { ...record, slug: 'form-2' } }),
    ],
    [
      'duplicate',
      'a new record with the slug of another',
      (record) => ({ kind: 'form', id: 'form_3', record: { ...record, id: 'form_3' } }),
    ],
  ])('%s: %s', async (reason, _, change) => {
    await expect(apply(change(await form()))).rejects.toEqual(refused(reason));
    expect(comparable(await allItems(), now)).toEqual(comparable(before, now));
  });

  it('together with its additionalWrites writes if a condition of one of them fails', async () => {
    const record = { ...(await form()), slug: 'other' };
    const Item = { ...keys.idempotencyRecord(workspaceId, 'taken') };
    await testTable().put(Item);
    const idempotency = { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
    await expect(
      apply({ kind: 'form', id: 'form_1', record }, { additionalWrites: () => ({ idempotency }) }),
    ).rejects.toMatchObject({
      name: 'ConditionFailed',
      write: 'idempotency',
    });
    expect(await form()).toMatchObject({ slug: 'form-1' });
  });

  it('a taken slug is refused after the check of the ETag, and nothing is stored', async () => {
    const record = await form();
    await testTable().put({ ...keys.slug(workspaceId, 'form', 'left-over'), id: 'form_2' });
    expect(await apply({ kind: 'form', id: 'form_1', record: { ...record, slug: 'left-over' } })).toMatchObject({
      status: 'replaced',
    });
  });
});

describe('concurrent changes', () => {
  it('give a slug to one record only', async () => {
    const record = (await stored('form', 'form_1')) as Document;
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.allSettled(
      ids.map((id) => apply({ kind: 'form', id, record: { ...record, id, slug: 'wanted' } })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ChangeRefused);
    }
  });

  it('concurrent changes to different entries are all counted and listed', async () => {
    const record = (await stored('cmsEntry', 'dish_2')) as Document;
    const ids = Array.from({ length: 20 }, (_, index) => `new_${index}`);
    await Promise.all(ids.map((id) => apply({ kind: 'cmsEntry', modelId: 'dishes', id, record: { ...record, id } })));
    const { json, headers } = await call('GET /api/public/cms/dishes/list?maxDepth=0&fields=id&limit=100', { key });
    expect([headers['x-cms-total'], json.length]).toEqual(['25', 25]);
  });

  it('concurrent changes to one record with the same expected ETag succeed one time', async () => {
    const record = (await stored('agent', 'agent_1')) as Document;
    const { etag = '' } = await apply({ kind: 'agent', id: 'agent_1', record });
    const results = await Promise.allSettled(
      ['A', 'B', 'C'].map((name) =>
        apply({
          kind: 'agent',
          id: 'agent_1',
          decide: async (current) => {
            if (current.etag !== etag) throw new Error('Another change was first.');
            return { ...record, name };
          },
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
