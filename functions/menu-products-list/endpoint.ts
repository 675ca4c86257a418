import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { flag, localeParameters } from '#lib/http/query-parameters.ts';
import { productPage } from '#lib/menu/menu-views.ts';
import { pageParameters, productFilters } from '#lib/menu/parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { menuListTexts } from '#lib/openapi/menu-texts.ts';

/** lib/spec/interface.md section 4.3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/menu/products',
  summary: 'List menu products, with filters, sorting and related CMS entries.',
  keyIn: ['query'],
  callers: ['key', 'session'],
  permissions: ['menu:product:read'],
  query: z.object({
    ...productFilters,
    ...pageParameters,
    ...localeParameters,
    includeCmsData: z._default(z.optional(flag()), true),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: productPage,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Menu',
  text: 'Lists products. A product must match all filters, and one value of each list. An unknown id or slug gives an empty page, as does a page past the end.',
  query: {
    ...menuListTexts('product'),
    q: 'The same as `search`. Ignored with `search`.',
    categoryId: 'Only products of the category with this id.',
    categorySlug: 'Only products of the category with this slug. It is added to `categorySlugs`.',
    categorySlugs: 'Only products of one of these categories.',
    published:
      '`true` lists published products, `false` unpublished ones. `false` needs `menu:product:read-unpublished`, else the response is 403.',
    soldout: '`true` lists only products that are sold out, `false` only others.',
    minPrice:
      'Only products with a price option of at least this price. With `maxPrice`, one option must be within both bounds.',
    maxPrice: 'Only products with a price option of at most this price. If it is below `minPrice`, the page is empty.',
    includeCmsData:
      'Whether to include `cmsData`, the published CMS entries that relate to each product. It is empty for keys without `cms:entry:read`.',
  },
  success: { description: 'A page of products.', headers: { 'content-language': 'common' } },
  refusals: ['response_too_large'],
  examples: [
    {
      name: 'search',
      summary: 'The first product with lamb in its name, by name',
      key: 'site',
      query: { search: 'lamb', sortBy: 'name', sortOrder: 'asc', limit: '1', includeCmsData: 'false' },
    },
  ],
});
