import * as z from 'zod/mini';
import { AuditEvent } from '#lib/domain/access/audit-event.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/audit-events/{id}',
  summary: 'Get an audit event.',
  ...forManagement,
  permissions: ['audit:event:read'],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: AuditEvent,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Returns an audit event. Events never change. They are kept for 400 days.',
  path: { id: 'The id of the event.' },
  success: { description: 'The event.', headers: etagHeader },
  refusals: ['not_found'],
});
