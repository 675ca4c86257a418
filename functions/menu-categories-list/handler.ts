import { renderKey } from '#lib/domain/text/locale.ts';
import { entityTagOf, listsTag } from '#lib/http/conditional.ts';
import { contentLanguage, requireLocale } from '#lib/http/locale.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { readApi } from '#lib/http/read-api.ts';
import { rendered } from '#lib/http/respond.ts';
import { categoryTexts } from '#lib/menu/category-texts.ts';
import { listPage, pageText } from '#lib/menu/list-page.ts';
import { withOrder } from '#lib/menu/parameters.ts';
import { nameHasWords, searchedWords } from '#lib/menu/sorted-rows.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ principal, table, headers, ...request }) => {
    const query = withOrder(request.query);
    const { slug, ids, includeProducts } = query;
    if (includeProducts && !principal.permissions.has('menu:product:read'))
      throw lacksPermission('menu:product:read', principal.kind);
    const words = searchedWords(query.search);
    const menu = new Menu(table, principal);
    return menu.read(async (index) => {
      const { languages } = index;
      const renderOptions = { languages, locale: requireLocale(query, languages) };
      // Otherwise the tag is a hash of the answer.
      const etag = index.isExact ? entityTagOf(principal, query, [index.version, renderKey(renderOptions)]) : undefined;
      if (etag && listsTag(headers['If-None-Match'], etag)) return { unchanged: etag };
      const page = listPage(index.categories, index, query, {
        filter: (row) =>
          (slug === undefined || row.slug === slug) &&
          (ids === undefined || ids.has(row.id)) &&
          nameHasWords(row, words),
        filterText: JSON.stringify([words, slug, ids && [...ids]]),
      });
      const texts = await categoryTexts(menu, principal, index, page.rows, query, renderOptions);
      const lower = includeProducts ? 'limit, or ask for includeProducts=false' : 'limit';
      const json = pageText(texts, page.pagination, lower);
      return { json: rendered(json), headers: contentLanguage(renderOptions.locale), ...(etag && { etag }) };
    });
  },
});
