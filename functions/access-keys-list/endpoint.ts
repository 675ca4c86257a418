import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { ApiKeyView } from '#lib/kinds/access.ts';
import { listParameters, recordPage } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/api-keys',
  summary: 'List the API keys of the workspace.',
  ...forManagement,
  permissions: ['access:key:read'],
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(ApiKeyView),
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Lists API keys by name. No response contains a secret or its hash. `lastUsedAt` is truncated to the hour, and `null` before the first use.',
  query: listTexts,
  success: { description: 'A page of keys.' },
  examples: [{ name: 'search', summary: 'Search keys by name', key: 'admin', query: { q: 'service' } }],
});
