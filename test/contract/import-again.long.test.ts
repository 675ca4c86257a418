import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { asLines, exported, exportText, importText } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { type Document, load, storeWorkspace } from '#test/support/world.ts';

const kinds = 16;

beforeAll(openOwnTable);

describe('a document that is imported a second time', () => {
  it.each<[string, (document: Document) => Promise<unknown>]>([
    ['unchanged', (document) => load(document)],
    ['with --prune', (document) => load(document, { prune: true })],
    ['as .ndjson', (document) => importText(asLines(document), 'ndjson')],
    ['as exported', async ({ workspace }) => importText(await exportText(workspace.id), 'json')],
    ['as exported in .ndjson', async ({ workspace }) => importText(await exportText(workspace.id, 'ndjson'), 'ndjson')],
  ])('changes nothing: %s', async (_, again) => {
    const document = everyKind();
    const first = await load(document);
    expect(Object.keys(first.counts)).toHaveLength(kinds);
    const before = await allItems();
    expect(await again(document)).toMatchObject({ changed: 0, failures: [], newSecrets: [], counts: first.counts });
    expect(await allItems()).toEqual(before);
  });

  it('keeps ETags and times, even of records without times in the document', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    for (const entry of document.cms.entries) Object.assign(entry, { createdAt: undefined, updatedAt: undefined });
    await importText(asLines(document), 'ndjson');
    const read = (id: string) => call(`GET /api/public/cms/dishes/${id}?maxDepth=0`, { key: siteSecret(workspaceId) });
    const before = await Promise.all(['dish_1', 'dish_5'].map(read));
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    expect((await load(document)).changed).toBe(0);
    const after = await Promise.all(['dish_1', 'dish_5'].map(read));
    expect(after.map(({ headers }) => headers['etag'])).toEqual(before.map(({ headers }) => headers['etag']));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  });

  it('changes only the records that differ', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    await storeWorkspace(document);
    const read = (id: string) => call(`GET /api/public/cms/dishes/${id}?maxDepth=0`, { key: siteSecret(workspaceId) });
    const before = await Promise.all(['dish_1', 'dish_2'].map(read));
    document.cms.entries[0].values.amount = 7;
    document.workspace.currency = null;
    document.messaging.customers[0].name = 'Nora';
    expect((await load(document)).changed).toBe(3);
    const after = await Promise.all(['dish_1', 'dish_2'].map(read));
    expect(after[0]?.json).toEqual({ ...before[0]?.json, amount: 7 });
    expect(after[0]?.headers['etag']).not.toBe(before[0]?.headers['etag']);
    expect(after[1]?.headers['etag']).toBe(before[1]?.headers['etag']);
  });

  it('changes no entry when the database has got another field', async () => {
    const workspaceId = newWorkspaceId();
    const document = everyKind(workspaceId);
    await storeWorkspace(document);
    document.cms.models[0].fields.push({ key: 'added', name: { en: 'Added' }, type: 'text', localized: true });
    const { version, workspace, cms } = document;
    expect((await load({ version, workspace, cms: { models: cms.models } })).changed).toBe(1);
    expect((await load(await exported(workspaceId))).changed).toBe(0);
    expect((await load(document)).changed).toBe(0);
  });

  it('gives records without ids the same ids as before', async () => {
    const document = everyKind();
    const { version, workspace, menu, cms } = document;
    const categories = menu.categories.map(({ id, ...category }: Document) => category);
    const entries = cms.entries.map(({ id, ...entry }: Document) => entry);
    const nameless = { version, workspace, cms: { models: cms.models, entries }, menu: { categories } };
    expect((await load(nameless)).changed).toBe(1 + cms.models.length + entries.length + categories.length);
    expect((await load(nameless)).changed).toBe(0);
  });
});

describe('an absent time stamp', () => {
  const stamps = ['createdAt', 'updatedAt'] as const;
  const without = (record: Document) => ({ ...record, createdAt: undefined, updatedAt: undefined });

  it('is the time of the import for a new record', async () => {
    const document = everyKind();
    document.cms.entries = document.cms.entries.map(without);
    document.messaging.messages = document.messaging.messages.map(without);
    document.menu.products = document.menu.products.map(without);
    const began = new Date().toISOString();
    await storeWorkspace(document);
    const { cms, menu, messaging } = await exported(document.workspace.id);
    for (const { createdAt, updatedAt } of [...cms.entries, ...menu.products]) {
      expect([began, createdAt, new Date().toISOString()].toSorted()[1]).toBe(createdAt);
      expect(updatedAt).toBe(createdAt);
    }
    expect(messaging.messages.every(({ createdAt }: Document) => createdAt >= began)).toBe(true);
  });

  it('is that of the stored record otherwise, even when the record changes', async () => {
    const document = everyKind();
    await storeWorkspace(document);
    const before = await exported(document.workspace.id);
    document.cms.entries = document.cms.entries.map(without);
    document.cms.entries[1].values.title = { en: 'Changed' };
    document.menu.products = document.menu.products.map(without);
    document.menu.products[0].name = { en: 'Changed' };
    document.messaging.messages = document.messaging.messages.map(without);
    document.messaging.messages[0].text = 'Changed';
    expect((await load(document)).changed).toBe(3);
    const after = await exported(document.workspace.id);
    const timesOf = (records: Document[]) => records.map((record) => stamps.map((name) => record[name]));
    expect(timesOf(after.cms.entries)).toEqual(timesOf(before.cms.entries));
    expect(timesOf(after.menu.products)).toEqual(timesOf(before.menu.products));
    expect(timesOf(after.messaging.messages)).toEqual(timesOf(before.messaging.messages));
  });
});
