import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { ApiKeyView } from '#lib/kinds/access.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/api-keys/{id}',
  summary: 'Get an API key.',
  ...forManagement,
  permissions: ['access:key:read'],
  response: ApiKeyView,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Returns an API key, without its secret. The `ETag` is the version of the key for `If-Match`. Use of the key does not change it.',
  path: { id: 'The id of the key.' },
  success: { description: 'The key.', headers: etagHeader },
  refusals: ['not_found'],
  examples: [{ name: 'site', summary: 'The key of the website', key: 'admin', path: { id: 'key_site' } }],
});
