import { categoryView } from '#lib/domain/category-view.ts';
import type { MenuCategory } from '#lib/domain/menu-category.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu-row.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import type { Menu } from '#lib/table/menu.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { lookupsOf } from './menu-lookups.ts';

const textBytesMax = 8 * 1024 * 1024;
const knownTexts = new BoundedCache<string>(textBytesMax);

/** Categories as JSON texts (lib/spec/interface.md section 2.3); only published products are counted and listed. */
export function categoryTexts(
  menu: Menu,
  { workspaceId }: WorkspaceScope,
  index: MenuIndex,
  rows: readonly CategoryRow[],
  includeProducts: boolean,
): Promise<string[]> {
  const { published } = lookupsOf(index);
  return Promise.all(
    rows.map(async (row) => {
      const products = published.get(row.id) ?? [];
      const list = includeProducts ? `,"products":[${products.map(listedText).join()}]` : '';
      return `${await ownText(menu, workspaceId, row)},"productsCount":${products.length}${list}}`;
    }),
  );
}

const listedText = ({ id, slug, name, priceOptions, published, soldout }: ProductRow): string =>
  JSON.stringify({ id, slug, name, priceOptions, published, soldout });

/** The record without its closing brace, so that members can follow. */
async function ownText(menu: Menu, workspaceId: string, row: CategoryRow): Promise<string> {
  const address = `${workspaceId}#${row.id}#${row.hash}`;
  const known = knownTexts.get(address);
  if (known !== undefined) return known;
  const text = JSON.stringify(categoryView(await menu.record<MenuCategory>('menuCategory', row))).slice(0, -1);
  knownTexts.set(address, text, text.length * 2);
  return text;
}
