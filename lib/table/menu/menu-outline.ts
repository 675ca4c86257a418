import {
  type CategoryRow,
  type CategoryTuple,
  categoryFromTuple,
  type MenuRow,
  type ProductRow,
  type ProductTuple,
  productFromTuple,
} from '#lib/domain/menu/menu-row.ts';
import { Collection, type CollectionState } from '../collection/collection.ts';
import { loadPart } from '../collection/head.ts';
import type { MenuKind } from '../keys.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { changedRows, loadStoredMenu, menuAddress, menuChanges, menuScope, type StoredMenu } from './menu-index.ts';

/** The directory of the stored menu, without its rows. */
interface Outline {
  readonly stored: StoredMenu;
}

export type MenuOutline = CollectionState<Outline, ProductRow | CategoryRow>;

const outlines = new Collection<Outline, ProductRow | CategoryRow>({
  ...menuChanges,
  loadBase: async ({ table, scope, head }) => {
    const { content: stored, bytes } = await loadStoredMenu(table, scope, head);
    return { value: { stored }, bytes };
  },
});

/** The menu for imports and exports, of which only a part is in memory. @throws StaleRead */
export const readMenuOutline = (table: Table, scope: WorkspaceScope): Promise<MenuOutline> =>
  outlines.read(table, menuScope(scope));

/** The current rows of one kind, in no fixed order, with one chunk in memory. @throws StaleRead */
export async function* menuRows<Row extends MenuRow>(
  table: Table,
  scope: WorkspaceScope,
  kind: MenuKind,
  { base: { stored }, changed }: MenuOutline,
): AsyncGenerator<Row> {
  for (const [partId] of kind === 'menuProduct' ? stored.products : stored.categories) {
    const { content } = await loadPart<(ProductTuple & CategoryTuple)[]>(table.uncached(), menuScope(scope), partId);
    for (const tuple of content) {
      if (changed.has(menuAddress(kind, tuple[0]))) continue;
      yield (kind === 'menuProduct' ? productFromTuple(tuple) : categoryFromTuple(tuple)) as MenuRow as Row;
    }
  }
  yield* changedRows<Row>(kind, changed);
}
