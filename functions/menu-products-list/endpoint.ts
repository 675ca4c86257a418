import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { localeParameters } from '#lib/http/locale.ts';
import { flag } from '#lib/http/query.ts';
import { productPage } from '#lib/menu/menu-views.ts';
import { commaList, idList, optionalFlag, pageParameters, price, searchText } from '#lib/menu/parameters.ts';

/** lib/spec/interface.md section 4.3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/menu/products',
  summary: 'List menu products, with filters, sorting and related CMS entries.',
  keyIn: ['query'],
  callers: ['key', 'session'],
  permissions: ['menu:product:read'],
  query: z.object({
    search: searchText(),
    q: searchText(),
    categoryId: z.optional(z.string()),
    categorySlug: z.optional(z.string()),
    categorySlugs: commaList(),
    published: z._default(z.optional(flag()), true),
    soldout: optionalFlag(),
    minPrice: price(),
    maxPrice: price(),
    slug: z.optional(z.string()),
    ids: idList(),
    ...pageParameters,
    ...localeParameters,
    includeCmsData: z._default(z.optional(flag()), true),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: productPage,
  uses: ['table:read'],
});
