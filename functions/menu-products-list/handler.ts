import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { ProductRow } from '#lib/domain/menu/menu-row.ts';
import { shownTexts } from '#lib/domain/menu/menu-texts.ts';
import { productView } from '#lib/domain/menu/product-view.ts';
import { started } from '#lib/domain/started.ts';
import { inLocale, type RenderOptions, renderKey } from '#lib/domain/text/locale.ts';
import { entityTagOf } from '#lib/http/conditional.ts';
import { requireLocale } from '#lib/http/locale.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { readApi } from '#lib/http/read-api.ts';
import { cmsDataSizeHint, cmsDataTexts } from '#lib/menu/cms-data.ts';
import { listAnswer, listPage, pageText } from '#lib/menu/list-page.ts';
import { lookupsOf, type MenuLookups } from '#lib/menu/menu-lookups.ts';
import { withOrder } from '#lib/menu/parameters.ts';
import { productFilter, productFilterText } from '#lib/menu/product-filter.ts';
import { renderedText } from '#lib/menu/rendered-texts.ts';
import { ListedRecords } from '#lib/table/menu/listed-records.ts';
import { type MenuIndex, readMenu } from '#lib/table/menu/menu-index.ts';
import { type ProductRelations, readProductRelations } from '#lib/table/menu/product-relations.ts';
import { readCmsSchemaHead } from '#lib/table/workspaces.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ principal, table, headers, ...request }) => {
    const query = withOrder(request.query);
    if (!query.published && !principal.permissions.has('menu:product:read-unpublished')) {
      throw lacksPermission('menu:product:read-unpublished', principal.kind);
    }
    const menu = new ListedRecords(table, principal);
    const showsCmsData = query.includeCmsData && principal.permissions.has('cms:entry:read');
    const readRelations = async () => (showsCmsData ? readProductRelations(table, principal) : undefined);
    // Begins beside the read of the log, in the same round trip.
    let early: ReturnType<typeof readRelations> | undefined = started(readRelations());
    return readMenu(table, principal, async (index) => {
      const { languages } = index;
      const renderOptions = { languages, locale: requireLocale(query, languages) };
      const relations = await (early ?? readRelations());
      // `readMenu` repeats this function when the menu has changed. A repetition reads the relations again.
      early = undefined;
      const { version: schemaVersion = '' } = (relations && (await readCmsSchemaHead(table, principal))) ?? {};
      const isExactState = index.isExact && relations?.isExact !== false;
      const versions = [index.version, relations?.tag ?? '', schemaVersion, renderKey(renderOptions)];
      const etag = isExactState ? entityTagOf(principal, query, versions) : undefined;
      return listAnswer({ etag, ifNoneMatch: headers['If-None-Match'], locale: renderOptions.locale }, () =>
        page(index, relations, renderOptions, schemaVersion),
      );
    });

    async function page(
      index: MenuIndex,
      relations: ProductRelations | undefined,
      renderOptions: RenderOptions,
      schemaVersion: string,
    ) {
      const { categories } = lookupsOf(index);
      const filter = productFilter(query, ({ categoryId }) => categories.get(categoryId)?.slug);
      const { rows, pagination } = listPage(index.products, index, query, {
        filter,
        filterText: productFilterText(query),
      });
      const [products, cmsData] = await Promise.all([
        productTexts(menu, principal, index, rows, renderOptions),
        query.includeCmsData
          ? cmsDataTexts(
              table,
              principal,
              relations,
              rows.map(({ id }) => id),
              renderOptions,
              schemaVersion,
            )
          : undefined,
      ]);
      const texts = products.map((text, row) => `${text}${cmsData ? `,"cmsData":${cmsData.texts[row]}` : ''}}`);
      const text = pageText(texts, pagination, query.includeCmsData ? cmsDataSizeHint : 'limit');
      return { text, isExact: cmsData?.isExact !== false };
    }
  },
});

/** Products as JSON objects without their closing brace, so that members can be appended. @throws StaleRead */
function productTexts(
  menu: ListedRecords,
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
  menu: ListedRecords,
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
    const text = JSON.stringify(inLocale(view, shownTexts, renderOptions)).slice(0, -1);
    return { text, neighbourIds: product.suggestions };
  };
  const hashesOf = (suggestionIds: readonly string[]) =>
    [category?.hash, ...suggestionIds.map((id) => products.get(id)?.hash)].join();
  // The same version of a record can be sold out and later available, without a write.
  const address = `product#${workspaceId}#${row.id}#${row.hash}#${row.soldout ? 'sold out' : ''}#${renderOptions.name}`;
  return renderedText(address, render, hashesOf);
}
