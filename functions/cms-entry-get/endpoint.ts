import * as z from 'zod/mini';
import { EntryView } from '#lib/cms/entry-view.ts';
import { entryParameters } from '#lib/cms/parameters.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { localeParameters } from '#lib/http/locale.ts';

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
