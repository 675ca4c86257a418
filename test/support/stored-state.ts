import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { readEntryList } from '#lib/table/cms/entry-list.ts';
import { readMenuIndex } from '#lib/table/menu/menu-index.ts';
import { currentRows, readProductRelations } from '#lib/table/menu/product-relations.ts';
import type { Item } from '#lib/table/schema.ts';
import { allItems, comparable } from './own-table.ts';
import { testTable } from './world.ts';

/**
 * All stored data of a workspace of `everyKind`, with the rows of its indexes. It omits indexes, logs and noted
 * references.
 */
export async function storedState(scope: WorkspaceScope, now: string) {
  const isLeftOut = ({ pk }: Item) => /#(?:index|references)#|#log$/.test(pk);
  const items = (await allItems()).filter((item) => !isLeftOut(item)).map(({ editedAt, ...item }) => item as Item);
  const table = testTable();
  const menu = await readMenuIndex(table, scope);
  const relations = await readProductRelations(table, scope);
  const withoutRevision = ({ revision, ...row }: { revision: string; id: string }) => row;
  return {
    items: comparable(items, now),
    entries: await (await readEntryList(table, scope, 'dishes')).rows(),
    language: menu.language,
    products: menu.products,
    categories: menu.categories,
    relations:
      relations &&
      [...currentRows(relations)].map(([id, rows]) => [
        id,
        [...rows.values()].map(withoutRevision).sort((a, b) => (a.id < b.id ? -1 : 1)),
      ]),
  };
}
