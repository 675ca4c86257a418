import * as z from 'zod/mini';
import { EntryView } from '#lib/cms/entry-view.ts';
import { entryParameters, listParameters } from '#lib/cms/parameters.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { localeParameters } from '#lib/http/locale.ts';
import { flag, wholeNumber } from '#lib/http/query.ts';

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
