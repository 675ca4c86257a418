import { api } from '#lib/http/api.ts';
import { entityTagOf, namesTag } from '#lib/http/conditional.ts';
import { lacksPermission } from '#lib/http/middleware/require-permissions.ts';
import { categoryTexts } from '#lib/menu/category-texts.ts';
import { listPage, pageText } from '#lib/menu/list-page.ts';
import { hasWords, searchedWords } from '#lib/menu/sorted-rows.ts';
import { Menu } from '#lib/table/menu.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, query, headers }) => {
    const { slug, ids, includeProducts } = query;
    if (includeProducts && !principal.permissions.has('menu:product:read')) throw lacksPermission('menu:product:read');
    const words = searchedWords(query.search);
    const menu = new Menu(table, principal);
    return menu.read(async (index) => {
      // Otherwise the tag is made of the answer.
      const etag = index.isSettled ? entityTagOf(principal, query, [index.version]) : undefined;
      if (etag && namesTag(headers['If-None-Match'], etag)) return { unchanged: etag };
      const page = listPage(index.categories, index, query, {
        filter: (row) =>
          (slug === undefined || row.slug === slug) && (ids === undefined || ids.has(row.id)) && hasWords(row, words),
        filterText: JSON.stringify([words, slug, ids && [...ids]]),
      });
      const texts = await categoryTexts(menu, principal, index, page.rows, includeProducts);
      const lower = includeProducts ? 'limit, or ask for includeProducts=false' : 'limit';
      return { json: pageText(texts, page.pagination, lower), ...(etag && { etag }) };
    });
  },
});
