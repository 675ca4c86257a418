import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { apiKey, member } from '#lib/kinds/access.ts';
import { auditEvent } from '#lib/kinds/audit-events.ts';
import { listParameters, partsOf, recordPage, textsOf } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionsOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}',
  summary: 'List API keys, members or audit events.',
  ...forManagement,
  permissions: [],
  routes: {
    'api-keys': {
      ...partsOf('list', apiKey),
      path: '/api/v1/manage/api-keys',
      summary: 'List the API keys of the workspace.',
      operation: 'access-keys-list',
    },
    members: {
      ...partsOf('list', member),
      path: '/api/v1/manage/members',
      summary: 'List the members of the workspace.',
      operation: 'access-members-list',
    },
    'audit-events': {
      ...partsOf('list', auditEvent),
      path: '/api/v1/manage/audit-events',
      summary: 'List audit events, newest first.',
      operation: 'audit-events-list',
    },
  },
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(z.looseObject({})),
  uses: ['table:read'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  'api-keys': {
    tag: 'Management',
    text: 'Lists API keys by name. No response contains a secret or its hash. `lastUsedAt` is truncated to the hour, and `null` before the first use.',
    success: { description: 'A page of keys.' },
    refusals: ['response_too_large'],
    examples: [{ name: 'search', summary: 'Search keys by name', key: 'admin', query: { q: 'service' } }],
  },
  members: {
    tag: 'Management',
    text: 'Lists members by name.',
    success: { description: 'A page of members.' },
    refusals: ['response_too_large'],
    examples: [{ name: 'search', summary: 'Search members by name', key: 'admin', query: { q: 'lina' } }],
  },
  'audit-events': {
    tag: 'Management',
    text: [
      'Lists the changes and the sign-ins of the last 400 days, newest first. An event has the actor, the time, the record, and the paths that an update changed, but no values. All filters must match.',
      'A list by `q`, by `action`, or by `recordKind` alone, may have short or empty pages before its end. It ends when `next` is `null`.',
    ].join('\n\n'),
    query: textsOf(auditEvent),
    success: { description: 'A page of events.' },
  },
});
