import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/members/{id}/invite',
  summary: 'Send or resend a member an invitation to the console.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:member:manage'],
  keyMember: 'counts',
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:transact', 'table:access', 'identity:invite'],
  // The call waits for the mail service.
  lambda: { timeoutSeconds: 15 },
});
