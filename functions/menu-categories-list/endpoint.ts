import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { flag, localeParameters } from '#lib/http/query-parameters.ts';
import { categoryPage } from '#lib/menu/menu-views.ts';
import { idList, pageParameters, searchText, slugText } from '#lib/menu/parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { menuListTexts } from '#lib/openapi/menu-texts.ts';

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
    slug: slugText(),
    ids: idList(),
    ...pageParameters,
    ...localeParameters,
    includeProducts: z._default(z.optional(flag()), false),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: categoryPage,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Menu',
  text: 'Lists categories with the number of their published products. Unknown ids or slugs give an empty page, as does a page past the end.',
  query: {
    ...menuListTexts('category'),
    includeProducts:
      'Whether to include the published products of each category. `true` needs `menu:product:read`, else the response is 403.',
  },
  success: { description: 'A page of categories.', headers: { 'content-language': 'common' } },
  refusals: ['response_too_large'],
  examples: [
    {
      name: 'categories',
      summary: 'The first two categories by name',
      key: 'site',
      query: { sortBy: 'name', sortOrder: 'asc', limit: '2' },
    },
  ],
});
