import { isDeepStrictEqual } from 'node:util';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { milliseconds } from '../dynamodb/clock.ts';
import { keys, type MenuKind, menuCollection } from '../keys.ts';
import { isImporting } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { type Item, Repository, recordOf, type Table, type WorkspaceScope } from '../table.ts';

/** The products and categories of one workspace, one by one. `readMenu` of menu-index.ts reads their lists. */
export class Menu extends Repository {
  /** The stored product. `soldoutUntil` is not applied. */
  findProduct = (id: string) => this.#find<MenuProduct>('menuProduct', id);
  findCategory = (id: string) => this.#find<MenuCategory>('menuCategory', id);

  async #find<Stored>(kind: MenuKind, id: string): Promise<Stored | undefined> {
    if (!isRecordId(id)) return undefined;
    const [{ state }] = await Promise.all([
      readLog(this.table, this),
      this.table.get(keys.record(this.workspaceId, kind, id)),
    ]);
    const shown = await shownItem(this.table, this, { kind, id }, isImporting(state, menuCollection));
    return shown && recordOf<Stored>(shown);
  }
}

/** When this container knew that a swap was followed by another one, by its id. It saves reads of the head. */
const superseded = containerMemory.view<number>();

/**
 * The version of a record that lists show. What an import has written is shown when it has swapped the base; until then,
 * a copy of what it has replaced, or nothing. Only imports store no revision.
 * @param isMarked reads the head again, because a restored backup may have a former one
 */
export async function shownItem(
  table: Table,
  scope: WorkspaceScope,
  record: { readonly kind: MenuKind; readonly id: string },
  isMarked = false,
): Promise<Item | undefined> {
  const { workspaceId } = scope;
  const { kind, id } = record;
  const key = keys.record(workspaceId, kind, id);
  const item = await table.get(key);
  if (!item || item['revision'] !== undefined) return item;
  const address = `${table.name} ${workspaceId} ${item['menu']}`;
  const knownAt = superseded.get(address) ?? Number.POSITIVE_INFINITY;
  if (!isMarked && knownAt < table.startedAt) return item;
  const readHead = async () => (await table.uncached().get(keys.indexHead(workspaceId, menuCollection)))?.['menu'];
  const menu = await table.once(address, readHead);
  if (item['menu'] !== menu) {
    const later = await table.once('menu again', async () => table.uncached());
    // The item may be of an interrupted import, which the next one has undone before its swap.
    if (!isDeepStrictEqual(await later.get(key), item)) return shownItem(table.uncached(), scope, record, isMarked);
    superseded.set(address, milliseconds(), 0);
    return item;
  }
  const former = await table.get(keys.formerRecord(workspaceId, kind, id));
  if (former) return former;
  // Copies are removed after the swap, so without one the record is new, or another import has ended.
  return (await readHead()) === menu ? undefined : shownItem(table.uncached(), scope, record, isMarked);
}
