import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import { StaleRead } from '../collection/head.ts';
import { keys, type MenuKind } from '../keys.ts';
import { Repository, recordOf } from '../table.ts';

/** The products and categories of one workspace, as the rows of lists name them. */
export class ListedRecords extends Repository {
  /** The stored record of a row, in the version that the row names. @throws StaleRead */
  async record<Stored>(kind: MenuKind, { id, hash }: Pick<MenuRow, 'id' | 'hash'>): Promise<Stored> {
    const current = await this.table.get(keys.record(this.workspaceId, kind, id));
    const item =
      current?.['hash'] === hash ? current : await this.table.get(keys.formerRecord(this.workspaceId, kind, id));
    if (item?.['hash'] !== hash) throw new StaleRead();
    return recordOf<Stored>(item);
  }
}
