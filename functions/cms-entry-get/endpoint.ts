import * as z from 'zod/mini';
import { EntryView, entryParameters } from '#lib/cms/parameters.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { localeParameters } from '#lib/http/query-parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** Beyond the contract: one entry with its ETag (lib/spec/decisions.md section 3). */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/cms/{modelId}/{id}',
  summary: 'Get an entry of a CMS database.',
  keyIn: ['bearer', 'x-api-key', 'query'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:read'],
  query: z.object({ ...entryParameters, ...localeParameters }),
  response: EntryView,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'CMS',
  text: 'Returns an entry. An unpublished entry is 404 for keys without `cms:entry:read-unpublished`. The `ETag` is the stored version and does not depend on `fields`. Send it as `If-Match` with an update.',
  path: { modelId: 'The id of the CMS database.', id: 'The id of the entry.' },
  success: {
    description: 'The entry.',
    headers: {
      etag: { description: 'The stored version of the entry, for `If-Match`.' },
      'x-cms-max-depth': 'common',
      'content-language': 'common',
    },
  },
  refusals: ['unknown_field', 'response_too_large'],
  examples: [
    {
      name: 'chef',
      summary: 'The name of one chef',
      key: 'site',
      path: { modelId: 'chefs', id: 'chef_noura' },
      query: { fields: 'name,published' },
    },
  ],
});
