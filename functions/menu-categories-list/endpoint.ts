import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { localeParameters } from '#lib/http/locale.ts';
import { flag } from '#lib/http/query.ts';
import { categoryPage } from '#lib/menu/menu-views.ts';
import { idList, pageParameters, searchText } from '#lib/menu/parameters.ts';

/** lib/spec/interface.md section 4.4 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/menu/categories',
  summary: 'List menu categories, optionally with their products.',
  keyIn: ['query'],
  callers: ['key', 'session'],
  permissions: ['menu:category:read'],
  query: z.object({
    search: searchText(),
    slug: z.optional(z.string()),
    ids: idList(),
    ...pageParameters,
    ...localeParameters,
    includeProducts: z._default(z.optional(flag()), false),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: categoryPage,
  uses: ['table:read'],
});
