import { describeEndpoint } from '#lib/openapi/description.ts';
import { entryParameterTexts, maxDepthHeader } from '#lib/openapi/entry-texts.ts';
import { contentLanguageHeader, localeTexts } from '#lib/openapi/locale-texts.ts';
import { endpoint } from './endpoint.ts';

const count = { type: 'integer', minimum: 0 };

export const description = describeEndpoint(endpoint, {
  tag: 'CMS',
  text: [
    'Lists entries, newest first unless `sort` says otherwise. Headers say where the page stands. Entries that are not published do not exist for keys without `cms:entry:read-unpublished`: they are in no list and no total, and are no relation.',
    'To walk a list, send the `x-cms-next-cursor` of each page as `cursor`, with the other parameters unchanged, until a page has none. Entries that come or go meanwhile shift nothing: what is there all along comes exactly once. Paging by `offset` works as well; an offset past the end is an empty list.',
    'A list can be filtered, sorted and searched by the system fields and by the first 24 visible fields of the types `text`, `select`, `multiSelect`, `boolean`, `number`, `date`, `datetime`, `email`, `phone`, `url` and relations to one record; `longText` is searched only, and fields with `indexed: false` are left out.',
    'Operators: `eq` (the same as none), `ne` (also entries without a value), `in` (up to 50 values with commas between them) and `exists` for every field; `gt`, `gte`, `lt`, `lte` for numbers, days and times; `contains` for `text`, `email`, `phone` and `url`. `eq`, `ne` and `in` compare exactly, `contains` like a search: without case, accents and Arabic spelling variants. A localized field is compared in any language. Of a `multiSelect`, `eq` finds each of its values.',
  ].join('\n\n'),
  path: { modelId: 'The id of the CMS database.' },
  query: {
    limit: 'How many entries to list at most.',
    offset: 'How many entries to skip.',
    published:
      'Lists only published entries, or only those that are not; `false` needs `cms:entry:read-unpublished`, else the answer is 403. By default everything that the key may see.',
    filter:
      'Which entries to list; all conditions hold together. In a query `+` means a blank: send `%2B` in a time zone.',
    sort: 'By which fields to sort. Entries without a value come last in both directions, equal ones newest first.',
    search:
      'Words of which each occurs in some visible text field, in any language; of `longText` the first 200 characters count.',
    cursor: 'Where the page begins.',
    ...entryParameterTexts,
    ...localeTexts,
  },
  headers: { 'If-None-Match': 'The `ETag` of an answer to the same call.' },
  success: {
    description: 'The entries of the page.',
    headers: {
      'x-cms-total': { description: 'How many entries the list has, on all its pages together.', schema: count },
      'x-cms-limit': { description: 'The `limit` that was used.', schema: count },
      'x-cms-offset': {
        description: 'The `offset` that was used. A page by `cursor` has none.',
        schema: count,
        isOptional: true,
      },
      'x-cms-has-more': {
        description: '`1` when entries remain after this page, else `0`.',
        schema: { enum: ['0', '1'] },
      },
      'x-cms-next-cursor': { description: 'The `cursor` of the next page; absent on the last page.', isOptional: true },
      ...maxDepthHeader,
      ...contentLanguageHeader,
    },
  },
  refusals: ['unknown_field', 'response_too_large', 'not_found'],
  examples: [
    {
      name: 'chefs',
      summary: 'Two chefs, with the names of their mentors',
      key: 'site',
      path: { modelId: 'chefs' },
      query: { limit: '2', fields: 'name,mentor(name)' },
    },
    {
      name: 'chefs-by-name',
      summary: 'The chefs with a mentor, by name',
      key: 'site',
      path: { modelId: 'chefs' },
      query: { 'filter[mentor][exists]': 'true', sort: 'name', fields: 'name' },
    },
  ],
});
