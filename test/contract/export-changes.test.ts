import { describe, expect, it } from '@jest/globals';
import { exportRecords } from '#lib/workspace/export-records.ts';
import { call } from '#test/support/call.ts';
import { importText } from '#test/support/document-text.ts';
import { newWorkspaceId } from '#test/support/every-kind.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const room = await openWorkspace('access');
const manage = async (request: string, body?: object) => {
  const { status, json } = await call(request.replace(' ', ' /api/v1/manage/'), {
    key: room.keys.admin,
    ...(body && { body }),
  });
  expect([200, 201, 204]).toContain(status);
  return json;
};
const category = (id: string) => manage(`PUT menu-categories/${id}`, { slug: id, name: { en: id } });
const product = (id: string, categoryId: string, slug = id) =>
  manage(`PUT menu-products/${id}`, { slug, name: { en: id }, categoryId });
const first = { slug: 'passing', name: { en: 'First' }, categoryId: 'stays' };
const field = (key: string) => ({ key, name: { en: key }, type: 'text' });
const database = (...keys: readonly string[]) =>
  manage('PUT cms-models/busy', { name: { en: 'Busy' }, fields: keys.map(field) });

/** Exports the workspace, with a change when the first record of a kind is written. */
async function exportDuring(kind: string, change: () => Promise<unknown>, prefix = ''): Promise<Document[]> {
  const records: Document[] = [];
  let isChanged = false;
  for await (const exported of exportRecords(testTable(), room.workspaceId)) {
    records.push({ kind: exported.kind, ...exported.record });
    if (exported.kind !== kind || isChanged || !records.at(-1)?.['id'].startsWith(prefix)) continue;
    isChanged = true;
    await change();
  }
  expect(isChanged).toBe(true);
  return records;
}

/** Imports an export into an empty workspace. */
async function failuresOf([workspace, ...records]: readonly Document[]): Promise<object[]> {
  const head = { ...workspace, version: 1, exportedAt: new Date().toISOString(), id: newWorkspaceId() };
  // A secret belongs to one workspace.
  const others = records.filter(({ kind }) => kind !== 'apiKey');
  const text = [head, ...others].map((record) => JSON.stringify(record)).join('\n');
  return [...(await importText(text, 'ndjson')).failures];
}

describe('an export of a workspace in use can be imported', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    [
      'a category with a product is made',
      'menuCategory',
      async () => {
        await category('made');
        await product('made', 'made');
      },
    ],
    [
      'a slug passes to a new record',
      'menuProduct',
      async () => {
        await manage('DELETE menu-products/first');
        await product('second', 'stays', 'passing');
      },
    ],
    [
      'a database gets a field, and an entry its value',
      'cmsModel',
      async () => {
        await database('old', 'new');
        await manage('PUT cms-entries/busy/one', { values: { old: 'A', new: 'B' } });
      },
    ],
    [
      'a database with an entry is made',
      'cmsModel',
      async () => {
        await manage('PUT cms-models/made', { name: { en: 'Made' }, fields: [field('title')] });
        await manage('PUT cms-entries/made/one', { values: { title: 'A' } });
      },
    ],
  ])('while %s', async (_, kind, change) => {
    await category('stays');
    await manage('PUT menu-products/first', first);
    await database('old');
    expect(await failuresOf(await exportDuring(kind, change))).toEqual([]);
    expect(await failuresOf(await exportDuring('workspace', async () => undefined))).toEqual([]);
    if (kind === 'menuProduct') await manage('DELETE menu-products/second');
  });

  it('or ends with an error, if an older record has changed', async () => {
    await manage('PUT menu-products/older', { ...first, slug: 'older', createdAt: '2026-01-01T00:00:00.000Z' });
    const move = async () => {
      await category('next');
      await manage('PATCH menu-products/older', { categoryId: 'next' });
    };
    await expect(exportDuring('menuCategory', move)).rejects.toThrow('changed during the export; export it again.');
  });

  it('while products are changed, and products and entries removed', async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `many_${String(index).padStart(3, '0')}`);
    const products = ids.map((id) => ({ id, slug: id, name: { en: id }, categoryId: 'many' }));
    const models = [{ id: 'many', name: { en: 'Many' }, fields: [field('title')] }];
    const entries = ids.map((id) => ({ id, modelId: 'many', values: { title: id } }));
    const { version, workspace } = room.document;
    const menu = { categories: [{ id: 'many', slug: 'many', name: { en: 'Many' } }], products };
    const { failures } = await importFile({ version, workspace, menu, cms: { models, entries } });
    expect(failures).toEqual([]);
    const ofProducts = await exportDuring('menuProduct', async () => {
      await manage('PATCH menu-products/many_128', { soldout: true });
      await manage('DELETE menu-products/many_129');
    });
    const names = (records: readonly Document[], of: string) =>
      records.filter(({ kind, id }) => kind === of && id.startsWith('many_')).map(({ id }) => id);
    expect(names(ofProducts, 'menuProduct')).toEqual(ids.slice(0, -1));
    expect(ofProducts.find(({ kind, id }) => kind === 'menuProduct' && id === 'many_128')).toMatchObject({
      soldout: true,
    });
    // One of them is not read yet.
    const ends = ['many_000', 'many_129'];
    const remove = async () => {
      for (const id of ends) await manage(`DELETE cms-entries/many/${id}`);
    };
    const ofEntries = await exportDuring('cmsEntry', remove, 'many_');
    expect(new Set([...names(ofEntries, 'cmsEntry'), ...ends])).toEqual(new Set(ids));
    expect(names(ofEntries, 'cmsEntry')).toHaveLength(129);
    expect(await failuresOf(ofProducts)).toEqual([]);
    expect(await failuresOf(ofEntries)).toEqual([]);
  });

  it('and a key of a member who was made meanwhile is not in it', async () => {
    const records = await exportDuring('member', async () => {
      const { id: memberId } = await manage('POST members', { name: 'New', permissions: [] });
      await manage('POST api-keys', { name: 'New', memberId, permissions: [] });
    });
    const ids = new Set(records.filter(({ kind }) => kind === 'member').map(({ id }) => id));
    const owners = records
      .filter(({ kind, memberId }) => kind === 'apiKey' && memberId)
      .map(({ memberId }) => memberId);
    expect(owners.filter((owner) => !ids.has(owner))).toEqual([]);
  });
});
