import * as z from 'zod/mini';
import { AuditEvent } from '#lib/domain/access/audit-event.ts';
import { Member } from '#lib/domain/access/member-record.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { ApiKeyView, apiKey, member } from '#lib/kinds/access.ts';
import { auditEvent } from '#lib/kinds/audit-events.ts';
import { partsOf } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionsOf } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Get an API key, a member or an audit event.',
  ...forManagement,
  permissions: [],
  routes: {
    'api-keys': {
      ...partsOf('get', apiKey),
      path: '/api/v1/manage/api-keys/{id}',
      summary: 'Get an API key.',
      operation: 'access-key-get',
      headers: z.object({}),
      response: ApiKeyView,
    },
    members: {
      ...partsOf('get', member),
      path: '/api/v1/manage/members/{id}',
      summary: 'Get a member.',
      operation: 'access-member-get',
      response: Member,
    },
    'audit-events': {
      ...partsOf('get', auditEvent),
      path: '/api/v1/manage/audit-events/{id}',
      summary: 'Get an audit event.',
      operation: 'audit-event-get',
      response: AuditEvent,
    },
  },
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({}),
  uses: ['table:read'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  'api-keys': {
    tag: 'Management',
    text: 'Returns an API key, without its secret. The `ETag` is the version of the key for `If-Match`. Use of the key does not change it.',
    path: { id: 'The id of the key.' },
    success: { description: 'The key.', headers: etagHeader },
    examples: [{ name: 'site', summary: 'The key of the website', key: 'admin', path: { id: 'key_site' } }],
  },
  members: {
    tag: 'Management',
    text: 'Returns a stored member.',
    path: { id: 'The id of the member.' },
    success: { description: 'The member.', headers: etagHeader },
    examples: [{ name: 'omar', summary: 'One member', key: 'admin', path: { id: 'mem_omar' } }],
  },
  'audit-events': {
    tag: 'Management',
    text: 'Returns an audit event. Events never change. They are kept for 400 days.',
    path: { id: 'The id of the event.' },
    success: { description: 'The event.', headers: etagHeader },
  },
});
