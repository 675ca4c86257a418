import { ApiKeyView } from '#lib/access/key-view.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/api-keys/{id}',
  summary: 'Get an API key.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:key:read'],
  keyMember: 'counts',
  response: ApiKeyView,
  uses: ['table:read'],
});
