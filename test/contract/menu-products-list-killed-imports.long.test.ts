import { describe, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { documentOf, pageOf, product, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile, load, testTable } from '#test/support/world.ts';

describe('an import that was killed after any of its writes', () => {
  it('leaves lists and single products alike, and nothing of it remains that the next import does not name', async () => {
    const [old, next] = ['old', 'next'].map((en) => [
      product('tea', { name: { en } }),
      product('rice', { name: { en } }),
    ]);
    const killedAfter = async (writes: number) => {
      const kitchen = await openWorkspace('access', withProducts(old ?? []));
      const path = '/api/v1/manage/menu-products/rice';
      await call(`PATCH ${path}`, { key: kitchen.keys.admin, body: { barcode: 'changed' } });
      const killable = new KillableTable(writes);
      const document = documentOf(kitchen, { menu: { products: [...(next ?? []), product('new')] } });
      await importFile(document, {}, killable.table).catch(() => undefined);
      return { kitchen, writes: killable.writes };
    };
    const { writes: most } = await killedAfter(Number.POSITIVE_INFINITY);
    for (let writes = 0; writes < most; writes++) {
      const { kitchen } = await killedAfter(writes);
      const { admin: key } = kitchen.keys;
      const namesIn = async () =>
        (await pageOf('products', key, 'ids=tea,rice&sortBy=slug')).data.map(({ name }: Document) => name.en);
      const listed = await namesIn();
      expect([
        ['old', 'old'],
        ['next', 'next'],
      ]).toContainEqual(listed);
      const { status } = await call('GET /api/v1/manage/menu-products/new', { key });
      expect({ writes, status }).toEqual({ writes, status: listed[0] === 'next' ? 200 : 404 });
      await removeAll(testTable(), [keys.importLease(kitchen.workspaceId)]);
      await load(documentOf(kitchen, { menu: { products: [product('soup')] } }));
      const single = await Promise.all(
        ['rice', 'tea'].map((id) => call(`GET /api/v1/manage/menu-products/${id}`, { key })),
      );
      expect({ writes, names: single.map(({ json }) => json.name.en) }).toEqual({ writes, names: listed });
      expect(await namesIn()).toEqual(listed);
    }
  });
});
