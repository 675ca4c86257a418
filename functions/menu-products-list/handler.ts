import { api } from '#lib/http/api.ts';
import { entityTagOf, namesTag } from '#lib/http/conditional.ts';
import { lacksPermission } from '#lib/http/middleware/require-permissions.ts';
import { cmsDataTexts, lessCmsData } from '#lib/menu/cms-data.ts';
import { listPage, pageText } from '#lib/menu/list-page.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { productFilter, productFilterText } from '#lib/menu/product-filter.ts';
import { productTexts } from '#lib/menu/product-texts.ts';
import { Menu } from '#lib/table/menu.ts';
import { type MenuIndex, versionOf } from '#lib/table/menu-index.ts';
import { readRelationVersion } from '#lib/table/product-relations.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, query, headers }) => {
    if (!query.published && !principal.permissions.has('menu:product:read-unpublished')) {
      throw lacksPermission('menu:product:read-unpublished');
    }
    const menu = new Menu(table, principal);
    const showsCmsData = query.includeCmsData && principal.permissions.has('cms:entry:read');
    // Beside the head of the menu.
    const relationVersion = showsCmsData ? readRelationVersion(table, principal) : Promise.resolve('');
    relationVersion.catch(() => undefined);
    return menu.read(async (index) => {
      const etag = entityTagOf(principal, query, [versionOf(index), await relationVersion]);
      if (namesTag(headers['If-None-Match'], etag)) return { unchanged: etag };
      return { json: await page(index), etag };
    });

    async function page(index: MenuIndex): Promise<string> {
      const { categories } = lookupsOf(index);
      const filter = productFilter(query, ({ categoryId }) => categories.get(categoryId)?.slug);
      const { rows, pagination } = listPage(index.products, index, query, {
        filter,
        filterText: productFilterText(query),
      });
      const [products, cmsData] = await Promise.all([
        productTexts(menu, principal, index, rows),
        query.includeCmsData ? cmsDataOf(rows.map(({ id }) => id)) : undefined,
      ]);
      const texts = products.map((text, row) => `${text}${cmsData ? `,"cmsData":${cmsData[row]}` : ''}}`);
      return pageText(texts, pagination, query.includeCmsData ? lessCmsData : 'limit');
    }

    function cmsDataOf(ids: readonly string[]): Promise<string[]> {
      return showsCmsData ? cmsDataTexts(table, principal, ids) : Promise.resolve(ids.map(() => '{}'));
    }
  },
});
