import type { MenuProduct } from '#lib/domain/menu-product.ts';
import type { ProductRow } from '#lib/domain/menu-row.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { productView } from '#lib/domain/product-view.ts';
import type { Menu } from '#lib/table/menu.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { lookupsOf, type MenuLookups } from './menu-lookups.ts';
import { renderedText } from './rendered-texts.ts';

/** Products as JSON objects without their closing brace, so that members can follow. @throws IndexMoved */
export function productTexts(
  menu: Menu,
  scope: WorkspaceScope,
  index: MenuIndex,
  rows: readonly ProductRow[],
): Promise<string[]> {
  const lookups = lookupsOf(index);
  return Promise.all(rows.map((row) => productText(menu, scope, lookups, row)));
}

async function productText(
  menu: Menu,
  { workspaceId }: WorkspaceScope,
  { categories, products }: MenuLookups,
  row: ProductRow,
): Promise<string> {
  const category = categories.get(row.categoryId);
  const render = async () => {
    const product = await menu.record<MenuProduct>('menuProduct', row);
    const suggestions = product.suggestions.flatMap((id) => products.get(id) ?? []);
    const text = JSON.stringify(productView(product, { category, suggestions })).slice(0, -1);
    return { text, neighbourIds: product.suggestions };
  };
  const hashesOf = (suggestionIds: readonly string[]) =>
    [category?.hash, ...suggestionIds.map((id) => products.get(id)?.hash)].join();
  return (await renderedText(`product#${workspaceId}#${row.id}#${row.hash}`, render, hashesOf)).text;
}
