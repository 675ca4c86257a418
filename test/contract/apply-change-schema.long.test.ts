import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Model } from '#lib/domain/cms/cms-model.ts';
import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import { readCmsSchema, readModelRecords, schemaVersionOf } from '#lib/table/cms/cms-schema.ts';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { compactCollection } from '#lib/table/collection/compact-collections.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { readProductRelations } from '#lib/table/menu/product-relations.ts';
import { relationScope } from '#lib/table/menu/relation-base.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace, readCmsSchemaHead } from '#lib/table/workspaces.ts';
import type { RecordChange, WrittenRecord } from '#lib/table/writer/change.ts';
import { applyChange } from '#test/support/apply-change.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { allItems, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { storedState } from '#test/support/stored-state.ts';
import { type Document, load, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const scope = { workspaceId };
const key = siteSecret(workspaceId);
const editor = `editor-secret-of-${workspaceId}`;
const manager = `manager-secret-of-${workspaceId}`;
const now = new Date().toISOString();
let before: Item[];

beforeAll(async () => {
  await openOwnTable();
  const document = everyKind(workspaceId);
  document.apiKeys.push({
    id: 'key_editor',
    name: 'Editor',
    secret: editor,
    permissions: ['cms:entry:read', 'cms:entry:update'],
  });
  document.apiKeys.push({
    id: 'key_manager',
    name: 'Manager',
    secret: manager,
    permissions: ['cms:model:manage', 'cms:entry:create'],
  });
  await load(document);
  before = await allItems();
});
beforeEach(() => restoreItems(before));

const apply = (change: RecordChange, table: Table = testTable()) => applyChange(table, scope, change, { now });

/** The stored database with a change. */
async function changedModel(id: string, change: (model: Document) => void): Promise<WrittenRecord> {
  const texts = await readModelRecords(testTable(), workspaceId);
  const model = texts.map((text) => JSON.parse(text)).find((candidate: Model) => candidate.id === id);
  change(model);
  return Model.parse(model);
}
const fieldOf = ({ fields }: Document, wanted: string) => fields.find((field: Document) => field.key === wanted);
const replaceModel = async (id: string, change: (model: Document) => void, table?: Table) =>
  apply({ kind: 'cmsModel', id, record: await changedModel(id, change) }, table);

/** A document with the workspace and the given databases only. */
const models = (...list: Document[]) => ({
  version: 1,
  workspace: everyKind(workspaceId).workspace,
  cms: { models: list },
});

const listed = async (query = '') => (await call(`GET /api/public/cms/dishes/list?maxDepth=0${query}`, { key })).json;
const related = async () =>
  (await call(`GET /api/public/menu/products?apiKey=${key}`)).json.data.map(({ id, cmsData }: Document) => [
    id,
    Object.fromEntries(
      Object.entries(cmsData).map(([model, list]) => [model, (list as Document[]).map((entry) => entry.id)]),
    ),
  ]);

/** Expects each head to name items that exist. */
async function expectSettled() {
  const head = await readCmsSchemaHead(testTable(), scope);
  const texts = await readModelRecords(testTable(), workspaceId);
  expect(head?.version).toBe(schemaVersionOf(head?.languages ?? [], texts));
  const relations = await readProductRelations(testTable(), scope);
  const fields = texts.map((text) => JSON.parse(text)).map((model) => [model.id, relatingFields(model)] as const);
  const stored = Object.entries(relations.base.models).map(([id, model]) => [id, model.fields]);
  expect([stored, relations.isExact]).toEqual([fields.filter(([, relating]) => relating.length > 0), true]);
}

const modelChanges: readonly (readonly [string, string, (model: Document) => void])[] = [
  ['a database is renamed', 'dishes', (model) => Object.assign(model, { name: { en: 'Plates' } })],
  [
    'a field is added',
    'dishes',
    ({ fields }) => fields.push({ key: 'extra', name: { en: 'Extra' }, type: 'text', localized: true }),
  ],
  ['a field is removed', 'dishes', ({ fields }) => fields.splice(3, 1)],
  ['a field gets another type', 'dishes', (model) => Object.assign(fieldOf(model, 'amount'), { type: 'text' })],
  ['a field is hidden', 'dishes', (model) => Object.assign(fieldOf(model, 'title'), { hidden: true })],
  ['an option is removed', 'dishes', (model) => fieldOf(model, 'size').options.shift()],
  [
    'the relation to products is hidden',
    'dishes',
    (model) => Object.assign(fieldOf(model, 'products'), { hidden: true }),
  ],
  [
    'a second relation to products is added',
    'dishes',
    ({ fields }) =>
      fields.push({ key: 'more', name: { en: 'More' }, type: 'relation', relation: { to: 'menu:product' } }),
  ],
  ['the relation to products is removed', 'dishes', ({ fields }) => fields.pop()],
  [
    'an empty database relates to products',
    'empty',
    ({ fields }) => fields.push({ key: 'of', name: { en: 'Of' }, type: 'relation', relation: { to: 'menu:product' } }),
  ],
  [
    'an empty database relates to another',
    'empty',
    ({ fields }) => fields.push({ key: 'of', name: { en: 'Of' }, type: 'relation', relation: { to: 'cms:empty' } }),
  ],
];

describe('a change of a database', () => {
  it.each(modelChanges)('has the result of an import: %s', async (_, id, change) => {
    const record = await changedModel(id, change);
    await load(models(record));
    const expected = await storedState(scope, now);
    const answers = [await listed(), await related()];
    await restoreItems(before);
    await listed();
    await related();
    await apply({ kind: 'cmsModel', id, record });
    expect(await storedState(scope, now)).toEqual(expected);
    expect([await listed(), await related()]).toEqual(answers);
    await expectSettled();
    const relations = relationScope(scope);
    await testTable().update(headKey(relations), {
      UpdateExpression: 'SET since = :then',
      ExpressionAttributeValues: { ':then': 0 },
    });
    expect(await compactCollection(testTable(), relations)).toBe(true);
    expect(await storedState(scope, now)).toEqual(expected);
  });

  it('creates a database, and removes it', async () => {
    await load(models({ id: 'notes', name: { en: 'Notes' }, fields: [{ key: 'a', name: { en: 'A' }, type: 'text' }] }));
    const expected = await storedState(scope, now);
    const record = JSON.parse((await readModelRecords(testTable(), workspaceId)).at(-1) ?? '');
    await restoreItems(before);
    const unchanged = await storedState(scope, now);
    expect(await apply({ kind: 'cmsModel', id: 'notes', record })).toMatchObject({
      status: 'created',
      etag: expect.any(String),
    });
    expect(await storedState(scope, now)).toEqual(expected);
    expect((await call('GET /api/public/cms/notes/list', { key })).json).toEqual([]);
    await apply({ kind: 'cmsModel', id: 'notes', record: null });
    expect(await storedState(scope, now)).toEqual(unchanged);
    expect((await call('GET /api/public/cms/notes/list', { key })).status).toBe(404);
    await expectSettled();
  });

  it('writes nothing without a difference', async () => {
    expect(await replaceModel('dishes', () => undefined)).toMatchObject({ status: 'unchanged' });
    expect(await allItems()).toEqual(expect.arrayContaining(before));
  });

  it('shows an entry with values in a field that becomes a visible relation to products', async () => {
    await replaceModel('dishes', (model) => Object.assign(fieldOf(model, 'products'), { hidden: true }));
    expect(await related()).toEqual([
      ['prod_3', {}],
      ['prod_2', {}],
      ['prod_1', {}],
    ]);
    const showing = replaceModel('dishes', (model) => Object.assign(fieldOf(model, 'products'), { hidden: false }));
    // Every update is in the log, whatever schema it began with.
    await call('PATCH /api/public/cms/dishes/dish_2', {
      key: editor,
      body: { values: { amount: 7 } },
    });
    await showing;
    expect(await related()).toEqual([
      ['prod_3', {}],
      ['prod_2', { dishes: ['dish_2'] }],
      ['prod_1', { dishes: ['dish_1'] }],
    ]);
    await expectSettled();
  });
});

describe('a change of a database is refused, and nothing changes', () => {
  const refused = (reason: string) => expect.objectContaining({ name: 'ChangeRefused', reason });

  it.each<[string, string, Partial<RecordChange>]>([
    ['missing', 'the removal of one that is not there', { id: 'nothing', record: null }],
  ])('%s: %s', async (reason, _, change) => {
    const state = await storedState(scope, now);
    const record = await changedModel('empty', ({ fields }) =>
      fields.push({ key: 'a', name: { en: 'A' }, type: 'text' }),
    );
    await expect(apply({ kind: 'cmsModel', record, ...change } as RecordChange)).rejects.toEqual(refused(reason));
    expect(await storedState(scope, now)).toEqual(state);
    await expectSettled();
  });
});

describe('concurrent changes', () => {
  it('concurrent changes to different databases are all kept', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(
      ids.map((id) => apply({ kind: 'cmsModel', id, record: { id, name: { en: id }, fields: [] } as WrittenRecord })),
    );
    const stored = await readCmsSchema(testTable(), scope);
    expect([...stored.models.keys()]).toEqual(['a', 'b', 'c', 'd', 'dishes', 'empty']);
    await expectSettled();
  });

  it('a database that is removed while entries are made leaves no entry', async () => {
    const manage = (request: string, body?: object) => call(request, { key: manager, ...(body && { body }) });
    const create = (id: string) => manage('POST /api/v1/manage/cms-entries/empty', { id, values: {} });
    const removing = manage('DELETE /api/v1/manage/cms-models/empty');
    const created = await Promise.all(Array.from({ length: 6 }, (_, index) => create(`new_${index}`)));
    const removal = await removing;
    const all = [...created, await create('late')].map(({ status }) => status);
    const items = (await allItems()).filter(({ pk }) => pk === `W#${workspaceId}#cms#empty`);
    expect(items.length).toBe(all.filter((status) => status === 201).length);
    expect([204, 409]).toContain(removal.status);
    const isGone = removal.status === 204;
    expect(items.length === 0).toBe(isGone);
    expect((await readCmsSchema(testTable(), scope)).models.has('empty')).toBe(!isGone);
  });

  it('concurrent changes to a database and its entries lose no update', async () => {
    const title = (number: number) => ({ values: { amount: number } });
    const updates = Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        call(`PATCH /api/public/cms/dishes/dish_${number}`, { key: editor, body: title(number) }),
      ),
    );
    await replaceModel('dishes', ({ fields }) =>
      fields.push({ key: 'b', name: { en: 'B' }, type: 'relation', relation: { to: 'menu:product' } }),
    );
    const statuses = (await updates).map(({ status }) => status);
    const amounts = (await listed('&fields=amount')).map(({ id, amount }: Document) => [id, amount]);
    for (const [index, status] of statuses.entries()) {
      if (status === 200) expect(amounts).toContainEqual([`dish_${index + 1}`, index + 1]);
    }
    await expectSettled();
  });
});

describe('a process killed between any two writes leaves the old or the new state', () => {
  it.each<[string, (table: Table) => Promise<unknown>]>([
    ['a database', (table) => replaceModel('dishes', (model) => model.fields.splice(-2), table)],
    ['the removal of a database', (table) => apply({ kind: 'cmsModel', id: 'empty', record: null }, table)],
    ['the workspace', (table) => changeWorkspace({ languages: ['ar', 'en'], defaultLanguage: 'ar' }, table)],
  ])('%s', async (_, change) => {
    const view = async () => [await readModelRecords(testTable(), workspaceId), await storedView(), await related()];
    const old = await view();
    await change(testTable());
    const changed = await view();
    const run = async (table: Table) => {
      await restoreItems(before);
      await view();
      await change(table);
    };
    await killAtEveryWrite(run, async (_writes, isComplete) => {
      const left = await view();
      expect([old, changed]).toContainEqual(left);
      await expectSettled();
      if (!isComplete) await change(testTable());
      expect(await view()).toEqual(changed);
    });
  });
});

async function changeWorkspace(members: object, table: Table = testTable()) {
  const workspace = await findWorkspace(testTable(), workspaceId);
  return apply({ kind: 'workspace', id: workspaceId, record: { ...workspace, ...members } as WrittenRecord }, table);
}

const storedView = async () => [await findWorkspace(testTable(), workspaceId), await listed()];

describe('a change of the workspace', () => {
  it.each<[string, Document]>([
    ['its name', { name: 'Other', currency: null }],
    ['its default language', { defaultLanguage: 'ar' }],
    ['its languages', { languages: ['ar', 'en', 'fr'] }],
    ['one language fewer', { languages: ['en'] }],
  ])('has the result of an import: %s', async (_, members) => {
    const document = { version: 1, workspace: { ...everyKind(workspaceId).workspace, ...members } };
    await load(document);
    const expected = await storedState(scope, now);
    const answers = [await listed(), await related()];
    await restoreItems(before);
    await listed();
    await related();
    expect(await changeWorkspace(members)).toMatchObject({ status: 'replaced' });
    expect(await storedState(scope, now)).toEqual(expected);
    expect([await listed(), await related()]).toEqual(answers);
    await expectSettled();
  });

  it('and a concurrent change of a database are both kept', async () => {
    await Promise.all([
      changeWorkspace({ languages: ['en', 'ar', 'fr'] }),
      replaceModel('empty', ({ fields }) => fields.push({ key: 'a', name: { en: 'A' }, type: 'text' })),
    ]);
    const { languages, models: stored } = await readCmsSchema(testTable(), scope);
    expect([languages, stored.get('empty')?.fields.length]).toEqual([['en', 'ar', 'fr'], 1]);
    await expectSettled();
  });
});

describe('a second change of the same collection', () => {
  it('finds the list of a database that was deleted and created again', async () => {
    const record = await changedModel('empty', () => undefined);
    await apply({ kind: 'cmsModel', id: 'empty', record: null });
    await apply({ kind: 'cmsModel', id: 'empty', record });
    const entry = { id: 'one', modelId: 'empty', published: true, values: {} } as WrittenRecord;
    const schema = await readCmsSchema(testTable(), scope);
    await applyChange(
      testTable(),
      scope,
      { kind: 'cmsEntry', modelId: 'empty', id: 'one', record: entry },
      { now, schema },
    );
    expect((await call('GET /api/public/cms/empty/list', { key })).headers['x-cms-total']).toBe('1');
    expect((await testTable().get(headKey(entryListScope(scope, 'empty'))))?.['removing']).toBeUndefined();
  });
});
