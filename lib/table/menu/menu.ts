import type { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import type { MenuRow } from '#lib/domain/menu/menu-row.ts';
import { isSoldOut } from '#lib/domain/menu/sold-out.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { repeatStaleRead, StaleRead } from '../collection/stale-read.ts';
import { keys, type MenuKind, menuCollection } from '../keys.ts';
import { isImporting } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { derived } from '../memory/derived.ts';
import { recordOf } from '../record-of.ts';
import { Repository } from '../repository.ts';
import { type MenuIndex, readMenuIndex } from './menu-index.ts';

/** The menu of one workspace. */
export class Menu extends Repository {
  /** The stored product. `soldoutUntil` is not applied. */
  findProduct = (id: string) => this.#find<MenuProduct>('menuProduct', id);
  findCategory = (id: string) => this.#find<MenuCategory>('menuCategory', id);

  hasProduct = async (id: string): Promise<boolean> => (await this.findProduct(id)) !== undefined;

  /**
   * Runs a read on one version of the current menu. If an import replaces the menu in between, the read is repeated.
   */
  read<Result>(reading: (index: MenuIndex) => Promise<Result>): Promise<Result> {
    return repeatStaleRead(this.table, async () =>
      reading(menuAt(await readMenuIndex(this.table, this), new Date().toISOString())),
    );
  }

  /** The stored record of a row, in the version that the row names. @throws StaleRead */
  async record<Stored>(kind: MenuKind, { id, hash }: Pick<MenuRow, 'id' | 'hash'>): Promise<Stored> {
    const current = await this.table.get(keys.record(this.workspaceId, kind, id));
    const next = keys.nextRecord(this.workspaceId, kind, id, hash);
    const item = current?.['hash'] === hash ? current : await this.table.get(next);
    if (!item) throw new StaleRead();
    return recordOf<Stored>(item);
  }

  /** The record in the version of the menu lists, also during an import. */
  async #find<Stored>(kind: MenuKind, id: string): Promise<Stored | undefined> {
    if (!isRecordId(id)) return undefined;
    const [item, { state }] = await Promise.all([
      this.table.get(keys.record(this.workspaceId, kind, id)),
      readLog(this.table, this),
    ]);
    if (!isImporting(state, menuCollection)) return item && recordOf<Stored>(item);
    return this.read(async ({ products, categories }) => {
      const rows: readonly MenuRow[] = kind === 'menuProduct' ? products : categories;
      const row = rows.find((each) => each.id === id);
      return row && this.record<Stored>(kind, row);
    });
  }
}

/** A menu that is valid from one time until another. */
interface TimedMenu {
  readonly index: MenuIndex;
  readonly from: string;
  readonly to: string;
}

/** The last menu derived from each stored one. */
const timedMenus = derived((_: MenuIndex): { last: TimedMenu | undefined } => ({ last: undefined }));

/**
 * A stored menu at a time: products become available at their `soldoutUntil` (lib/spec/additions.md section 2).
 * The version contains the last such time, so that ETags change with it.
 * @param now such as `2026-01-31T09:00:00.000Z`
 */
function menuAt(stored: MenuIndex, now: string): MenuIndex {
  const cached = timedMenus(stored);
  if (!cached.last || now < cached.last.from || now >= cached.last.to) cached.last = timedMenu(stored, now);
  return cached.last.index;
}

function timedMenu(stored: MenuIndex, now: string): TimedMenu {
  let from = '';
  let to = '~';
  for (const { soldout, soldoutUntil } of stored.products) {
    if (!soldout || soldoutUntil === null) continue;
    if (soldoutUntil <= now && soldoutUntil > from) from = soldoutUntil;
    if (soldoutUntil > now && soldoutUntil < to) to = soldoutUntil;
  }
  if (from === '') return { index: stored, from, to };
  const products = stored.products.map((row) =>
    row.soldout && !isSoldOut(row, now) ? { ...row, soldout: false } : row,
  );
  return { index: { ...stored, version: `${stored.version} ${from}`, products }, from, to };
}
