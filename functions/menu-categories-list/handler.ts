import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { categoryView } from '#lib/domain/menu/category-view.ts';
import type { MenuCategory } from '#lib/domain/menu/menu-records.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { shownTexts } from '#lib/domain/menu/menu-texts.ts';
import { inLocale, type RenderOptions, renderKey } from '#lib/domain/text/locale.ts';
import { entityTagOf } from '#lib/http/conditional.ts';
import { requireLocale } from '#lib/http/locale.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { readApi } from '#lib/http/read-api.ts';
import { listAnswer, listPage, pageText } from '#lib/menu/list-page.ts';
import { listedProducts } from '#lib/menu/menu-lookups.ts';
import { type SortKey, type SortOrder, withOrder } from '#lib/menu/parameters.ts';
import { renderedText } from '#lib/menu/rendered-texts.ts';
import { nameHasWords, searchedWords } from '#lib/menu/sorted-rows.ts';
import { ListedRecords } from '#lib/table/menu/listed-records.ts';
import { type MenuIndex, readMenu } from '#lib/table/menu/menu-index.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ principal, table, headers, ...request }) => {
    const query = withOrder(request.query);
    const { slug, ids, includeProducts } = query;
    if (includeProducts && !principal.permissions.has('menu:product:read'))
      throw lacksPermission('menu:product:read', principal.kind);
    const words = searchedWords(query.search);
    const menu = new ListedRecords(table, principal);
    return readMenu(table, principal, async (index) => {
      const { languages } = index;
      const renderOptions = { languages, locale: requireLocale(query, languages) };
      const etag = index.isExact ? entityTagOf(principal, query, [index.version, renderKey(renderOptions)]) : undefined;
      const tagged = { etag, ifNoneMatch: headers['If-None-Match'], locale: renderOptions.locale };
      return listAnswer(tagged, async () => {
        const page = listPage(index.categories, index, query, {
          filter: (row) =>
            (slug === undefined || row.slug === slug) &&
            (ids === undefined || ids.has(row.id)) &&
            nameHasWords(row, words),
          filterText: JSON.stringify([words, slug, ids && [...ids]]),
        });
        const texts = await categoryTexts(menu, principal, index, page.rows, query, renderOptions);
        const lower = includeProducts ? 'limit, or ask for includeProducts=false' : 'limit';
        return { text: pageText(texts, page.pagination, lower), isExact: true };
      });
    });
  },
});

/** Categories as JSON texts (lib/spec/interface.md section 2.3); only published products are counted and listed. */
function categoryTexts(
  menu: ListedRecords,
  { workspaceId }: WorkspaceScope,
  index: MenuIndex,
  rows: readonly CategoryRow[],
  query: { readonly includeProducts: boolean; readonly sortBy: SortKey; readonly sortOrder: SortOrder },
  renderOptions: RenderOptions,
): Promise<string[]> {
  const published = listedProducts(index, query);
  return Promise.all(
    rows.map(async (row) => {
      const products = published.get(row.id) ?? [];
      const list = query.includeProducts
        ? `,"products":[${products.map((product) => listedText(product, renderOptions)).join()}]`
        : '';
      return `${await ownText(menu, workspaceId, row, renderOptions)},"productsCount":${products.length}${list}}`;
    }),
  );
}

function listedText(product: ProductRow, renderOptions: RenderOptions): string {
  const { id, slug, name, priceOptions, published, soldout } = product;
  const view = { id, slug, name, priceOptions, published, soldout };
  return JSON.stringify(inLocale(view, shownTexts, renderOptions));
}

/** The JSON of a category without its closing brace, so that members can be appended. */
async function ownText(
  menu: ListedRecords,
  workspaceId: string,
  row: CategoryRow,
  renderOptions: RenderOptions,
): Promise<string> {
  const address = `category#${workspaceId}#${row.id}#${row.hash}#${renderKey(renderOptions)}`;
  return renderedText(address, async () => {
    const view = categoryView(await menu.record<MenuCategory>('menuCategory', row));
    return { text: JSON.stringify(inLocale(view, shownTexts, renderOptions)).slice(0, -1) };
  });
}
