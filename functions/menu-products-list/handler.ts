import { api } from '#lib/http/api.ts';
import { entityTagOf, namesTag } from '#lib/http/conditional.ts';
import { lacksPermission } from '#lib/http/middleware/require-permissions.ts';
import { cmsDataTexts, lessCmsData } from '#lib/menu/cms-data.ts';
import { listPage, pageText } from '#lib/menu/list-page.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { productFilter, productFilterText } from '#lib/menu/product-filter.ts';
import { productTexts } from '#lib/menu/product-texts.ts';
import { Menu } from '#lib/table/menu.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { type ProductRelations, readProductRelations } from '#lib/table/product-relations.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, query, headers }) => {
    if (!query.published && !principal.permissions.has('menu:product:read-unpublished')) {
      throw lacksPermission('menu:product:read-unpublished');
    }
    const menu = new Menu(table, principal);
    const showsCmsData = query.includeCmsData && principal.permissions.has('cms:entry:read');
    const readRelations = async () => (showsCmsData ? readProductRelations(table, principal) : undefined);
    // Beside the head of the menu.
    let early: ReturnType<typeof readRelations> | undefined = readRelations();
    early.catch(() => undefined);
    return menu.read(async (index) => {
      const relations = await (early ?? readRelations());
      // When the menu has changed under this reading, the relations are read again, too.
      early = undefined;
      const isSettled = index.isSettled && relations?.isSettled !== false;
      const etag = entityTagOf(principal, query, [index.version, relations?.tag ?? '']);
      if (isSettled && namesTag(headers['If-None-Match'], etag)) return { unchanged: etag };
      const { json, isExact } = await page(index, relations);
      // Otherwise the tag is made of the answer.
      return { json, ...(isSettled && isExact && { etag }) };
    });

    async function page(index: MenuIndex, relations: ProductRelations | undefined) {
      const { categories } = lookupsOf(index);
      const filter = productFilter(query, ({ categoryId }) => categories.get(categoryId)?.slug);
      const { rows, pagination } = listPage(index.products, index, query, {
        filter,
        filterText: productFilterText(query),
      });
      const [products, cmsData] = await Promise.all([
        productTexts(menu, principal, index, rows),
        query.includeCmsData
          ? cmsDataTexts(
              table,
              principal,
              relations,
              rows.map(({ id }) => id),
            )
          : undefined,
      ]);
      const texts = products.map((text, row) => `${text}${cmsData ? `,"cmsData":${cmsData.texts[row]}` : ''}}`);
      const json = pageText(texts, pagination, query.includeCmsData ? lessCmsData : 'limit');
      return { json, isExact: cmsData?.isExact !== false };
    }
  },
});
