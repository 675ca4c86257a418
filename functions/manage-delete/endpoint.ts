import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { kindsWith } from '#lib/manage/kinds.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Delete a record.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('delete'),
  headers: z.object({ 'If-Match': headerText() }),
  response: z.looseObject({}),
  status: 204,
  uses: ['table:read', 'table:update', 'table:rewrite', 'table:transact', 'table:remove'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});
