import type { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { type CategoryRow, categoryRow, type ProductRow, productRow } from '#lib/domain/menu/menu-row.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { CollectionScope } from '../collection/head.ts';
import { ImportAnnouncement, removeOtherParts } from '../collection/import-announcement.ts';
import { swapBase } from '../collection/swap-base.ts';
import {
  hasLanguages,
  type MenuHead,
  type MenuState,
  menuLanguages,
  menuPartIds,
  menuParts,
  menuScope,
  readMenuIndex,
  readMenuState,
} from '../menu/menu-index.ts';
import type { Table } from '../table.ts';
import { MenuRecordWriter } from './menu-record-writer.ts';

/**
 * Writes products and categories. A new record is stored under its key at once. A changed one is stored beside the
 * former version until the index refers to it. So a reader sees either the old menu or the new one.
 */
export class MenuWriter {
  readonly #table: Table;
  readonly #workspace: Workspace;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  readonly products: MenuRecordWriter<MenuProduct, ProductRow>;
  readonly categories: MenuRecordWriter<MenuCategory, CategoryRow>;
  #state: MenuState | undefined;

  constructor(table: Table, workspace: Workspace, importedAt: string) {
    const scope = { workspaceId: workspace.id };
    this.#table = table;
    this.#workspace = workspace;
    this.#scope = menuScope(scope);
    this.#announcement = new ImportAnnouncement(table, this.#scope);
    const options = { table, workspaceId: workspace.id, importedAt, beforeWriting: () => this.#announce() };
    this.products = new MenuRecordWriter({ ...options, kind: 'menuProduct', rowOf: productRow });
    this.categories = new MenuRecordWriter({ ...options, kind: 'menuCategory', rowOf: categoryRow });
  }

  async open(): Promise<void> {
    await this.#announcement.open();
    await this.#readRows();
  }

  /** @returns the number of records that were removed because the document does not contain them */
  async finish(prune: { readonly products: boolean; readonly categories: boolean }): Promise<number> {
    const writers = [this.products, this.categories] as const;
    const isSame = () => {
      const changed =
        this.products.rowsAfter(prune.products).changed || this.categories.rowsAfter(prune.categories).changed;
      const head: MenuHead | undefined = this.#state?.head;
      return !changed && head?.base !== undefined && hasLanguages(head, this.#workspace);
    };
    if (isSame() && !this.#announcement.isUnfinished) return 0;
    await this.#announce();
    const [products, categories] = [
      this.products.rowsAfter(prune.products),
      this.categories.rowsAfter(prune.categories),
    ];
    await this.#swapBase(products.rows, categories.rows);
    let removed = 0;
    for (const writer of writers) removed += await writer.settle(this.#announcement.foundUnfinished);
    await this.#announcement.finish();
    return removed;
  }

  /** Other writers may have changed records after they were read and before the announcement. */
  async #announce(): Promise<boolean> {
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    const table = this.#table.fresh();
    const scope = { workspaceId: this.#workspace.id };
    this.#state = await readMenuState(table, scope);
    const { products, categories } = await readMenuIndex(table, scope);
    this.products.open(products);
    this.categories.open(categories);
  }

  async #swapBase(products: readonly ProductRow[], categories: readonly CategoryRow[]): Promise<void> {
    const before = this.#state;
    const { fresh, content } = await menuParts(this.#scope, { products, categories }, before?.base);
    const directory = await swapBase({
      table: this.#table,
      scope: this.#scope,
      before: before?.head,
      next: {
        fresh,
        content,
        fields: { total: products.length, ...menuLanguages(this.#workspace) },
        consumed: [...(before?.applied ?? []), ...(before?.base.consumed ?? [])],
        former: [],
      },
      unlessImporting: false,
    });
    await removeOtherParts(this.#table, this.#scope, [...menuPartIds(content), directory]);
  }
}
