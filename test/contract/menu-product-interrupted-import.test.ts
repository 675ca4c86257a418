import { afterEach, expect, it } from '@jest/globals';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { KillableTable } from '#test/support/killable-table.ts';
import { documentOf, product, withProducts } from '#test/support/menu.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { importFile, load, testTable } from '#test/support/world.ts';

const proxy = await startTableProxy();
afterEach(() => proxy.heal());

const named = (id: string, en: string) => product(id, { name: { en } });
const open = () => openWorkspace('access', withProducts([named('tea', 'one'), named('rice', 'one')]));
type Menu = Awaited<ReturnType<typeof open>>;

/** An import of another tea that is killed when it has written the record, and no list shows it. */
async function interruptImport(menu: Menu): Promise<void> {
  const { workspaceId } = menu;
  const recordKey = keys.record(workspaceId, 'menuProduct', 'tea');
  for (let writes = 1; ; writes++) {
    const next = documentOf(menu, { menu: { products: [named('tea', 'two')] } });
    const isDone = await importFile(next, {}, new KillableTable(writes).table).then(
      () => true,
      () => false,
    );
    if (isDone) throw new Error('The import was not interrupted in time.');
    await removeAll(testTable(), [keys.importLease(workspaceId)]);
    if (String((await testTable().get(recordKey))?.['record']).includes('two')) return;
  }
}

const nameOfTea = async ({ keys: { admin: key } }: Menu): Promise<string> =>
  (await call('GET /api/v1/manage/menu-products/tea', { key })).json.name.en;

it('is not shown to a read that begins before the next import, and ends after it', async () => {
  const menu = await open();
  await nameOfTea(menu);
  await interruptImport(menu);
  const meanwhile = () => load(documentOf(menu, { menu: { products: [named('rice', 'three')] } }));
  proxy.plan('BatchGetItem', { kind: 'late', meanwhile }, 1, '"tea"');
  expect(await nameOfTea(menu)).toBe('one');
  expect(await nameOfTea(menu)).toBe('one');
});

it('is shown by the next read after the import that completes it', async () => {
  const menu = await open();
  await interruptImport(menu);
  expect(await nameOfTea(menu)).toBe('one');
  await load(documentOf(menu, { menu: { products: [named('tea', 'two')] } }));
  expect(await nameOfTea(menu)).toBe('two');
});
