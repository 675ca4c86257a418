import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import { StaleRead } from '../collection/head.ts';
import { keys, type MenuKind } from '../keys.ts';
import { Repository, recordOf } from '../table.ts';

/** The products and categories of one workspace, as the rows of lists name them. */
export class ListedRecords extends Repository {
  /** The stored record of a row, in the version that the row names. @throws StaleRead */
  async record<Stored>(kind: MenuKind, row: Pick<MenuRow, 'id' | 'hash'>): Promise<Stored> {
    const { item, isNamed } = await this.#find(kind, row);
    if (!item || !isNamed) throw new StaleRead();
    return recordOf<Stored>(item);
  }

  /**
   * The same, or what the service has made of the record since: nothing if it is removed, by an import perhaps.
   * @throws StaleRead if an import has changed it
   */
  async laterRecord(kind: MenuKind, row: Pick<MenuRow, 'id' | 'hash'>): Promise<object | undefined> {
    const { item, isNamed } = await this.#find(kind, row);
    if (item && !isNamed && item['editedAt'] === undefined) throw new StaleRead();
    return item && recordOf<object>(item);
  }

  /** The item that the row names, else the current one. */
  async #find(kind: MenuKind, { id, hash }: Pick<MenuRow, 'id' | 'hash'>) {
    const current = await this.table.get(keys.record(this.workspaceId, kind, id));
    if (current?.['hash'] === hash) return { item: current, isNamed: true };
    const former = await this.table.get(keys.formerRecord(this.workspaceId, kind, id));
    return former?.['hash'] === hash ? { item: former, isNamed: true } : { item: current, isNamed: false };
  }
}
