import type { MenuCategory } from '#lib/domain/menu-category.ts';
import type { MenuProduct } from '#lib/domain/menu-product.ts';
import {
  type CategoryRow,
  categoryRow,
  categoryTuple,
  type MenuRow,
  type ProductRow,
  productRow,
  productTuple,
} from '#lib/domain/menu-row.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { chunkRows, type IndexScope, loadPart, partItem } from '../collection-index.ts';
import { type MenuDirectory, type MenuHead, menuScope, readMenuIndex } from '../menu-index.ts';
import type { Table } from '../table.ts';
import { IndexWriter } from './index-writer.ts';
import { MenuRecordWriter } from './menu-record-writer.ts';

/**
 * Writes products and categories: what is new goes to its place, what changes stands beside the old version until the
 * index has moved in one step. A reader filters, counts and shows the old menu or the new one, never a mixture.
 */
export class MenuWriter {
  readonly #table: Table;
  readonly #workspace: Workspace;
  readonly #scope: IndexScope;
  readonly #index: IndexWriter;
  readonly products: MenuRecordWriter<MenuProduct, ProductRow>;
  readonly categories: MenuRecordWriter<MenuCategory, CategoryRow>;
  #head: MenuHead | undefined;

  constructor(table: Table, workspace: Workspace, importedAt: string) {
    const scope = { workspaceId: workspace.id };
    this.#table = table;
    this.#workspace = workspace;
    this.#scope = menuScope(scope);
    this.#index = new IndexWriter(table, this.#scope);
    const options = { table, workspaceId: workspace.id, importedAt, beforeWriting: () => this.#index.markUnfinished() };
    this.products = new MenuRecordWriter({ ...options, kind: 'menuProduct', rowOf: productRow });
    this.categories = new MenuRecordWriter({ ...options, kind: 'menuCategory', rowOf: categoryRow });
  }

  async open(): Promise<void> {
    this.#head = (await this.#index.open()) as MenuHead | undefined;
    if (!this.#head) return;
    const table = this.#table.fresh();
    const { content } = await loadPart<MenuDirectory>(table, this.#scope, this.#head.directory);
    this.#index.knowParts([this.#head.directory, ...[...content.products, ...content.categories].map(([id]) => id)]);
    const { products, categories } = await readMenuIndex(table, { workspaceId: this.#workspace.id });
    this.products.open(products);
    this.categories.open(categories);
  }

  /** @returns how many records were removed because the document does not name them */
  async finish(prune: { readonly products: boolean; readonly categories: boolean }): Promise<number> {
    const writers = [this.products, this.categories] as const;
    const products = this.products.rowsAfter(prune.products);
    const categories = this.categories.rowsAfter(prune.categories);
    const language = this.#workspace.defaultLanguage;
    const same = !products.changed && !categories.changed && (this.#head?.language ?? language) === language;
    if (same && !this.#index.unfinished) return 0;
    await this.#index.markUnfinished();
    await this.#replaceIndex(products.rows, categories.rows);
    let removed = 0;
    for (const writer of writers) removed += await writer.settle(this.#index.foundUnfinished);
    await this.#index.finish();
    return removed;
  }

  async #replaceIndex(products: readonly ProductRow[], categories: readonly CategoryRow[]): Promise<void> {
    const productChunks = chunkRows(this.#scope, inListOrder(products).map(productTuple));
    const categoryChunks = chunkRows(this.#scope, inListOrder(categories).map(categoryTuple));
    const content: MenuDirectory = { products: productChunks.directory, categories: categoryChunks.directory };
    const directory = partItem(this.#scope, content);
    const head: Omit<MenuHead, 'version'> = {
      directory: directory.partId,
      total: products.length,
      language: this.#workspace.defaultLanguage,
    };
    await this.#index.replace([...productChunks.parts, ...categoryChunks.parts, directory], head);
  }
}

/** Oldest first, so that new records change the last chunk only. */
const inListOrder = <Row extends MenuRow>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1));

const positionOf = ({ createdAt, id }: MenuRow): string => `${createdAt}#${id}`;
