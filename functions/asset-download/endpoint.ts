import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/interface.md section 4.6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/assets/{key+}',
  summary: 'Download an attachment.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:read', 'messaging:conversation:engage'],
  permissionsNeeded: 'any',
  headers: z.object({ 'If-None-Match': headerText(), 'If-Range': headerText(), Range: headerText() }),
  response: z.unknown(),
  answers: 'streamed',
  // The first download of a directly uploaded file also stores its record.
  uses: ['table:read', 'table:uploads', 'files:read'],
  // The time for the largest file over a slow connection.
  lambda: { timeoutSeconds: 300 },
});
