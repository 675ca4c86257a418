import { categoryView } from '#lib/domain/category-view.ts';
import type { MenuCategory } from '#lib/domain/menu-category.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu-row.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import type { Menu } from '#lib/table/menu.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { lookupsOf } from './menu-lookups.ts';
import { renderedText } from './rendered-texts.ts';

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

/** The category without its closing brace, so that members can follow. */
async function ownText(menu: Menu, workspaceId: string, row: CategoryRow): Promise<string> {
  const rendered = await renderedText(`category#${workspaceId}#${row.id}#${row.hash}`, async () => {
    const category = await menu.record<MenuCategory>('menuCategory', row);
    return { text: JSON.stringify(categoryView(category)).slice(0, -1) };
  });
  return rendered.text;
}
