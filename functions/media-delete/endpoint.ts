import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/media/{id}',
  summary: 'Delete an unused public image.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  keyMember: 'counts',
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:transact', 'table:media'],
  // It may read all records of a workspace.
  lambda: { timeoutSeconds: 29 },
});
