import { describeEndpoint } from '#lib/openapi/description.ts';
import { entryParameterTexts, maxDepthHeader } from '#lib/openapi/entry-texts.ts';
import { endpoint } from './endpoint.ts';

const count = { type: 'integer', minimum: 0 };

export const description = describeEndpoint(endpoint, {
  tag: 'CMS',
  text: 'Lists published and unpublished entries, newest first. The next page begins at the previous `offset` plus the number of entries that came; an offset past the end is an empty list. Headers say where the page stands.',
  path: { modelId: 'The id of the CMS database.' },
  query: {
    limit: 'How many entries to list at most.',
    offset: 'How many entries to skip.',
    ...entryParameterTexts,
  },
  headers: { 'If-None-Match': 'The `ETag` of an answer to the same call.' },
  success: {
    description: 'The entries of the page.',
    headers: {
      'x-cms-total': { description: 'How many entries the database has.', schema: count },
      'x-cms-limit': { description: 'The `limit` that was used.', schema: count },
      'x-cms-offset': { description: 'The `offset` that was used.', schema: count },
      'x-cms-has-more': {
        description: '`1` when entries remain after this page, else `0`.',
        schema: { enum: ['0', '1'] },
      },
      ...maxDepthHeader,
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
  ],
});
