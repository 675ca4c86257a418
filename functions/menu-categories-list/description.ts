import { describeEndpoint } from '#lib/openapi/description.ts';
import { contentLanguageHeader } from '#lib/openapi/locale-texts.ts';
import { menuListTexts } from '#lib/openapi/menu-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Menu',
  text: 'Lists categories with the number of their published products. Unknown ids or slugs give an empty page, as does a page past the end.',
  query: {
    ...menuListTexts('category'),
    includeProducts:
      'Whether to include the published products of each category. `true` needs `menu:product:read`, else the response is 403.',
  },
  success: { description: 'A page of categories.', headers: contentLanguageHeader },
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
