import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { withCurrentSoldout } from '#lib/domain/menu/sold-out.ts';
import type { RenderOptions } from '#lib/domain/text/locale.ts';
import { EntryReader } from '#lib/table/cms/entry-reader.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import type { Table } from '#lib/table/table.ts';
import { entryFragment, type Fragment, productFragment, stub } from './fragment.ts';
import type { ProductSelection, Selection } from './selection.ts';
import { isVisible, type Visibility } from './visibility.ts';

/** Finds the targets of relations that the caller can see. */
export class RelatedRecords {
  readonly #entries: EntryReader;
  readonly #menu: Menu;
  readonly #visibility: Visibility;
  readonly #renderOptions: RenderOptions;

  constructor(table: Table, scope: WorkspaceScope, visibility: Visibility, renderOptions: RenderOptions) {
    this.#entries = new EntryReader(table, scope);
    this.#menu = new Menu(table, scope);
    this.#visibility = visibility;
    this.#renderOptions = renderOptions;
  }

  /** @returns undefined if the target no longer exists, or does not exist for the caller */
  async find(selection: Selection, id: string): Promise<Fragment | undefined> {
    if (selection.target === 'product') return this.#visibility.products ? this.#product(selection, id) : stub(id);
    const entry = await this.#entries.find(selection.modelId, id);
    return entry && isVisible(entry, this.#visibility)
      ? entryFragment(entry, selection, this.#renderOptions)
      : undefined;
  }

  async #product(selection: ProductSelection, id: string): Promise<Fragment | undefined> {
    const product = await this.#menu.findProduct(id);
    if (!product) return undefined;
    if (!product.published && !this.#visibility.unpublishedProducts) return stub(id);
    const neighbours = await this.#neighbours(product, selection);
    return productFragment(withCurrentSoldout(product), neighbours, selection, this.#renderOptions);
  }

  /** Reads only the records that the selection shows. */
  async #neighbours({ categoryId, suggestions }: MenuProduct, { members }: ProductSelection) {
    const [category, ...suggested] = await Promise.all([
      members.has('category') ? this.#menu.findCategory(categoryId) : undefined,
      ...(members.has('suggestions') ? suggestions : []).map((id) => this.#menu.findProduct(id)),
    ]);
    return { category, suggestions: suggested.filter((product) => product !== undefined) };
  }
}
