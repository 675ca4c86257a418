import type { MenuProduct } from '#lib/domain/menu-product.ts';
import type { MenuRow, ProductRow } from '#lib/domain/menu-row.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { productView } from '#lib/domain/product-view.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import type { Menu } from '#lib/table/menu.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { lookupsOf, type MenuLookups } from './menu-lookups.ts';

/** A product as text, and the rows of other records that it was made with: it holds as long as they do. */
interface KnownText {
  readonly text: string;
  readonly suggestionIds: readonly string[];
  readonly madeWith: readonly (MenuRow | undefined)[];
}

const textBytesMax = 32 * 1024 * 1024;
const knownTexts = new BoundedCache<KnownText>(textBytesMax);

/** Products as JSON objects without their closing brace, so that members can follow; what was read once is kept. */
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
  lookups: MenuLookups,
  row: ProductRow,
): Promise<string> {
  const address = `${workspaceId}#${row.id}#${row.hash}`;
  const known = knownTexts.get(address);
  if (known && isSame(known.madeWith, neighboursOf(row, known.suggestionIds, lookups))) return known.text;
  const product = await menu.record<MenuProduct>('menuProduct', row);
  const madeWith = neighboursOf(row, product.suggestions, lookups);
  const [category, ...suggestions] = madeWith;
  const view = productView(product, {
    category,
    suggestions: suggestions.filter((suggested) => suggested !== undefined) as ProductRow[],
  });
  const text = JSON.stringify(view).slice(0, -1);
  knownTexts.set(address, { text, suggestionIds: product.suggestions, madeWith }, text.length * 2);
  return text;
}

/** Its category, then the products it suggests. */
const neighboursOf = (row: ProductRow, suggestionIds: readonly string[], { categories, products }: MenuLookups) => [
  categories.get(row.categoryId),
  ...suggestionIds.map((id) => products.get(id)),
];

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
