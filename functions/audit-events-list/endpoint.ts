import * as z from 'zod/mini';
import { AuditEvent } from '#lib/domain/access/audit-event.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { instant } from '#lib/http/query.ts';
import { listParameters, recordPage } from '#lib/manage/list-parameters.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/audit-events',
  summary: 'List audit events, newest first.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['audit:event:read'],
  keyMember: 'counts',
  query: z.extend(listParameters, {
    recordKind: z.optional(z.string()),
    recordId: z.optional(z.string()),
    actorId: z.optional(z.string()),
    since: z.optional(instant()),
    until: z.optional(instant()),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(AuditEvent),
  uses: ['table:read'],
});
