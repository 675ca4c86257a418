import * as z from 'zod/mini';
import { AuditAction, AuditEvent } from '#lib/domain/access/audit-event.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { instant } from '#lib/http/query.ts';
import { listParameters, recordPage } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/audit-events',
  summary: 'List audit events, newest first.',
  ...forManagement,
  permissions: ['audit:event:read'],
  query: z.extend(listParameters, {
    recordKind: z.optional(z.string()),
    recordId: z.optional(z.string()),
    actorId: z.optional(z.string()),
    action: z.optional(AuditAction),
    since: z.optional(instant()),
    until: z.optional(instant()),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(AuditEvent),
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Lists the changes and the sign-ins of the last 400 days, newest first. An event has the actor, the time, the record, and the paths that an update changed, but no values. All filters must match.',
    'A list by `q`, by `action`, or by `recordKind` alone, may have short or empty pages before its end. It ends when `next` is `null`.',
  ].join('\n\n'),
  query: {
    ...listTexts,
    recordKind: 'Only changes of records of this kind, such as `menu-products`.',
    recordId: 'Only changes of records with this id; for an entry, `modelId/id`.',
    actorId: 'Only changes by this key or member; `operator` for commands and imports.',
    action: 'Only events of this action, such as `delete` or `signIn`.',
    since: 'Only changes at this time or later (RFC 3339).',
    until: 'Only changes before this time (RFC 3339).',
  },
  success: { description: 'A page of events.' },
});
