import { randomUUID } from 'node:crypto';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { type CategoryRow, categoryRow, type ProductRow, productRow } from '#lib/domain/menu/menu-row.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { type CollectionScope, repeatStaleRead } from '../collection/head.ts';
import { ImportAnnouncement } from '../collection/import-announcement.ts';
import { type MenuHead, menuScope } from '../menu/menu-index.ts';
import { type MenuOutline, menuRows, readMenuOutline } from '../menu/menu-outline.ts';
import { hasLanguages, menuLanguages, storeMenu } from '../menu/menu-parts.ts';
import { Repository } from '../table.ts';
import { endMarks, markRemovals } from '../writer/removal.ts';
import { MenuRecordWriter } from './menu-record-writer.ts';
import type { RowFile } from './row-file.ts';
import type { ConcurrentEdits, WriterOptions } from './ruled-writer.ts';

/**
 * Writes products and categories under their keys. Before, it copies the versions that it replaces; readers see the
 * copies until the index refers to the new versions. So a list shows either the old menu or the new one.
 */
export class MenuWriter extends Repository {
  readonly #workspace: Workspace;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  readonly #concurrentEdits: ConcurrentEdits;
  readonly products: MenuRecordWriter<MenuProduct, ProductRow>;
  readonly categories: MenuRecordWriter<MenuCategory, CategoryRow>;
  #state: MenuOutline | undefined;

  constructor(options: WriterOptions, file: RowFile) {
    const { table, workspace, concurrentEdits } = options;
    super(table, { workspaceId: workspace.id });
    this.#workspace = workspace;
    this.#scope = menuScope(this);
    this.#concurrentEdits = concurrentEdits;
    this.#announcement = new ImportAnnouncement(table, this.#scope);
    const shared = { file, beforeWriting: () => this.#announce() };
    this.products = new MenuRecordWriter(options, 'menuProduct', { ...shared, rowOf: productRow });
    this.categories = new MenuRecordWriter(options, 'menuCategory', { ...shared, rowOf: categoryRow });
  }

  async open(): Promise<this> {
    const head: MenuHead | undefined = await this.#announcement.open();
    await Promise.all([this.products, this.categories].map((writer) => writer.restore(head?.menu)));
    await this.#readRows();
    return this;
  }

  /** @returns the numbers of records that were removed because the document does not contain them */
  async finish(prune: Pruned): Promise<{ readonly products: number; readonly categories: number }> {
    if (!this.#announcement.isUnfinished && !this.#isChanged(prune)) return { products: 0, categories: 0 };
    await this.#announce();
    if (prune.categories) await this.#keepUsedCategories(prune);
    await this.#swapBase(prune);
    const all = this.#announcement.foundUnfinished;
    const products = await this.products.settle({ prune: prune.products, all });
    const categories = await this.categories.settle({ prune: prune.categories, all });
    await this.#announcement.finish();
    return { products, categories };
  }

  /** Categories that have got a product since the check stay. The others get none from now on. */
  async #keepUsedCategories(prune: Pruned): Promise<void> {
    const { workspaceId } = this;
    const going = this.categories.rows.unnamed();
    await markRemovals(this.table, workspaceId, 'menuCategory', going);
    if (going.length > 0) await this.#readRows();
    const used = new Set(
      Iterator.from(this.products.rowsAfter(prune.products).rows).map(({ categoryId }) => categoryId),
    );
    const kept = going.filter((id) => used.has(id));
    for (const id of kept) this.categories.rows.name(id);
    this.#concurrentEdits.stayInUse('menuCategory', kept);
    await endMarks(this.table, workspaceId, 'menuCategory', kept);
  }

  #isChanged({ products, categories }: Pruned): boolean {
    const head: MenuHead | undefined = this.#state?.head;
    const isKept = head?.base !== undefined && hasLanguages(head, this.#workspace);
    return !isKept || this.products.rows.isChanged(products) || this.categories.rows.isChanged(categories);
  }

  /** Other writers may have changed records after they were read and before the announcement. */
  async #announce(): Promise<boolean> {
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    const table = this.table.uncached();
    await repeatStaleRead(table, async () => {
      const state = await readMenuOutline(table, this);
      this.#state = state;
      await this.products.open(menuRows(table, this, 'menuProduct', state));
      await this.categories.open(menuRows(table, this, 'menuCategory', state));
    });
  }

  async #swapBase(prune: Pruned): Promise<void> {
    const before = this.#state;
    const products = this.products.rowsAfter(prune.products);
    const rows = { products: products.rows, categories: this.categories.rowsAfter(prune.categories).rows };
    const content = await storeMenu(this.table, this.#scope, rows, before?.base);
    const fields = { total: products.count, ...menuLanguages(this.#workspace), menu: randomUUID() };
    await this.#announcement.swapBase(before?.head, { content, fields });
  }
}

/** Whether the import removes the stored records that the document does not name. */
interface Pruned {
  readonly products: boolean;
  readonly categories: boolean;
}
