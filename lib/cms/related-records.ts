import type { MenuProduct } from '#lib/domain/menu-product.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { Menu } from '#lib/table/menu.ts';
import { RelatedEntries } from '#lib/table/related-entries.ts';
import type { Table } from '#lib/table/table.ts';
import { entryFragment, type Fragment, productFragment, stub } from './fragment.ts';
import type { ProductSelection, Selection } from './selection.ts';
import type { Visibility } from './visibility.ts';

/** Finds what relations point to, as far as the caller may see it. */
export class RelatedRecords {
  readonly #entries: RelatedEntries;
  readonly #menu: Menu;
  readonly #visibility: Visibility;
  readonly #languages: readonly string[];

  constructor(table: Table, scope: WorkspaceScope, visibility: Visibility, languages: readonly string[]) {
    this.#entries = new RelatedEntries(table, scope);
    this.#menu = new Menu(table, scope);
    this.#visibility = visibility;
    this.#languages = languages;
  }

  /** The databases whose versions were needed. */
  get versionsRead(): Set<string> {
    return this.#entries.versionsRead;
  }

  /** @returns nothing when the target no longer exists */
  async find(selection: Selection, id: string): Promise<Fragment | undefined> {
    if (selection.target === 'product') return this.#visibility.products ? this.#product(selection, id) : stub(id);
    const entry = await this.#entries.find(selection.modelId, id);
    return entry && entryFragment(entry, selection, this.#languages);
  }

  async #product(selection: ProductSelection, id: string): Promise<Fragment | undefined> {
    const product = await this.#menu.findProduct(id);
    if (!product) return undefined;
    if (!product.published && !this.#visibility.unpublishedProducts) return stub(id);
    return productFragment(product, await this.#neighbours(product, selection), selection);
  }

  /** Only what the selection shows is read. */
  async #neighbours({ categoryId, suggestions }: MenuProduct, { members }: ProductSelection) {
    const [category, ...suggested] = await Promise.all([
      members.has('category') ? this.#menu.findCategory(categoryId) : undefined,
      ...(members.has('suggestions') ? suggestions : []).map((id) => this.#menu.findProduct(id)),
    ]);
    return { category, suggestions: suggested.filter((product) => product !== undefined) };
  }
}
