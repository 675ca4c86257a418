import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { localizedProduct } from '#lib/domain/menu/localized-view.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import type { ProductRow } from '#lib/domain/menu/menu-row.ts';
import { productView } from '#lib/domain/menu/product-view.ts';
import { type RenderOptions, renderKey, showingTexts } from '#lib/domain/text/locale.ts';
import type { Menu } from '#lib/table/menu/menu.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import { lookupsOf, type MenuLookups } from './menu-lookups.ts';
import { renderedText } from './rendered-texts.ts';

/** Products as JSON objects without their closing brace, so that members can be appended. @throws StaleRead */
export function productTexts(
  menu: Menu,
  scope: WorkspaceScope,
  index: MenuIndex,
  rows: readonly ProductRow[],
  renderOptions: RenderOptions,
): Promise<string[]> {
  const lookups = lookupsOf(index);
  const named = { ...renderOptions, name: renderKey(renderOptions) };
  return Promise.all(rows.map((row) => productText(menu, scope, lookups, row, named)));
}

async function productText(
  menu: Menu,
  { workspaceId }: WorkspaceScope,
  { categories, products }: MenuLookups,
  row: ProductRow,
  renderOptions: RenderOptions & { readonly name: string },
): Promise<string> {
  const category = categories.get(row.categoryId);
  const render = async () => {
    const product = await menu.record<MenuProduct>('menuProduct', row);
    const suggestions = product.suggestions.flatMap((id) => products.get(id) ?? []);
    const view = productView({ ...product, soldout: row.soldout }, { category, suggestions });
    const text = JSON.stringify(localizedProduct(view, showingTexts(renderOptions))).slice(0, -1);
    return { text, neighbourIds: product.suggestions };
  };
  const hashesOf = (suggestionIds: readonly string[]) =>
    [category?.hash, ...suggestionIds.map((id) => products.get(id)?.hash)].join();
  // The same version of a record can be sold out and later available, without a write.
  const address = `product#${workspaceId}#${row.id}#${row.hash}#${row.soldout ? 'sold out' : ''}#${renderOptions.name}`;
  return (await renderedText(address, render, hashesOf)).text;
}
