import { describeEndpoint } from '#lib/openapi/description.ts';
import { contentLanguageHeader } from '#lib/openapi/locale-texts.ts';
import { menuListTexts } from '#lib/openapi/menu-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Menu',
  text: 'Lists products. Filters are combined: a product has to fulfil all of them, and of a list of values one. An unknown id or slug leads to an empty page, and so does a page past the end.',
  path: {},
  query: {
    ...menuListTexts('product'),
    q: 'The same as `search`, which counts when both are given.',
    categoryId: 'Only products of the category with this id.',
    categorySlug: 'Only products of the category with this slug; joins `categorySlugs`.',
    categorySlugs: 'Only products of one of these categories.',
    published:
      'Which products to list; `false` lists the unpublished ones and needs `menu:product:read-unpublished`, else the answer is 403.',
    soldout: 'Only products that are sold out, or only those that are not.',
    minPrice:
      'Only products with a price option of at least this price; with `maxPrice`, one option lies between both.',
    maxPrice: 'Only products with a price option of at most this price; below `minPrice` the page is empty.',
    includeCmsData:
      'Whether to add `cmsData`, the published CMS entries that relate to each product; it is empty for keys without `cms:entry:read`.',
  },
  headers: { 'If-None-Match': 'The `ETag` of an answer to the same call.' },
  success: { description: 'A page of products.', headers: contentLanguageHeader },
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
