import * as z from 'zod/mini';
import { listParameters } from '#lib/cms/list-parameters.ts';
import { EntryView, entryParameters } from '#lib/cms/parameters.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { flag, localeParameters, wholeNumber } from '#lib/http/query-parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/interface.md section 4.1 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/cms/{modelId}/list',
  summary: 'List the entries of a CMS database, newest first.',
  keyIn: ['bearer', 'x-api-key', 'query'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:read'],
  query: z.object({
    limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
    offset: z.optional(wholeNumber({ min: 0, fallback: 0 })),
    published: z.optional(flag()),
    ...listParameters,
    ...entryParameters,
    ...localeParameters,
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.array(EntryView),
  uses: ['table:read'],
});

const count = { type: 'integer', minimum: 0 };

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'CMS',
  text: [
    'Lists entries, newest first without `sort`. Headers contain the position of the page. Keys without `cms:entry:read-unpublished` see no unpublished entries in lists, totals or relations.',
    'To read all pages, send the `x-cms-next-cursor` of each page as `cursor` until a page has none. Keep the other parameters unchanged. Entries that are added or removed in between shift nothing: every other entry occurs exactly once. You can also page by `offset`; an offset past the end gives an empty list.',
    'You can filter, sort and search by the system fields and by the first 24 visible fields of a supported type. Supported are `text`, `select`, `multiSelect`, `boolean`, `number`, `date`, `datetime`, `email`, `phone`, `url` and `relation`. Relations to many records take the columns that other fields leave, and a list of more than 50 cannot be found. `longText` can only be searched. Fields with `indexed: false` are excluded.',
    'Operators for every field: `eq` (the default), `ne` (also matches entries without a value), `in` (up to 50 values) and `exists`. For numbers, days and times: `gt`, `gte`, `lt`, `lte`. For `text`, `email`, `phone` and `url`: `contains`. `eq`, `ne` and `in` compare exactly. `contains` ignores case, accents, tones and Arabic spelling variants, like a search. A localized field matches in any language. `eq` matches a `multiSelect` or a list of relations that contains the value.',
  ].join('\n\n'),
  path: { modelId: 'The id of the CMS database.' },
  query: {
    offset: 'The number of entries to skip.',
    published:
      '`true` lists only published entries, `false` only unpublished ones. `false` needs `cms:entry:read-unpublished`, else the response is 403. By default, all entries that the key can see.',
    filter: 'Conditions on fields; all must match. In a query, `+` means a space: send `%2B` in a time zone.',
    sort: 'The fields to sort by. Entries without a value are last in both directions. Equal entries are newest first.',
    search:
      'Words to search for. Each must occur in some visible text field, in any language. Of `longText`, only the first 200 characters are searched.',
    cursor: 'The `x-cms-next-cursor` of the previous page.',
  },
  success: {
    description: 'The entries of the page.',
    headers: {
      'x-cms-total': { description: 'The number of entries on all pages.', schema: count },
      'x-cms-limit': { description: 'The `limit` that was used.', schema: count },
      'x-cms-offset': {
        description: 'The `offset` that was used. A page by `cursor` has none.',
        schema: count,
        isOptional: true,
      },
      'x-cms-has-more': {
        description: '`1` if more entries follow this page, else `0`.',
        schema: { type: 'string', enum: ['0', '1'] },
      },
      'x-cms-next-cursor': { description: 'The `cursor` of the next page; absent on the last page.', isOptional: true },
      'x-cms-max-depth': 'common',
      'content-language': 'common',
    },
  },
  refusals: ['unknown_field', 'response_too_large'],
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
      query: { 'filter[mentor.exists]': 'true', sort: 'name', fields: 'name' },
    },
  ],
});
