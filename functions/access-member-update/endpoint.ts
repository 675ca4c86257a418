import * as z from 'zod/mini';
import { Member } from '#lib/domain/access/member.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, mergePatchContent, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/members/{id}',
  summary: 'Update a member.',
  ...forManagement,
  permissions: ['access:member:read', 'access:member:manage'],
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: Member,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: "Changes properties of a member (JSON Merge Patch). Changes of `active` and `permissions` apply from the next request on, also to the member's keys. A caller cannot grant a permission that it lacks: 403 names the first one. To change a member's e-mail address or to activate a member, the caller needs every permission that the member then has. The last active member with `access:member:manage` cannot lose it: 409 `last_manager`.",
  path: { id: 'The id of the member.' },
  headers: writeHeaders,
  body: {
    description: 'The properties to change.',
    content: mergePatchContent,
  },
  success: { description: 'The changed member.', headers: etagHeader },
  refusals: [
    'validation_failed',
    'not_found',
    'last_manager',
    'precondition_failed',
    'conflict',
    'idempotency_key_reused',
  ],
  examples: [
    {
      name: 'engage',
      summary: 'Allow a member to reply',
      key: 'admin',
      path: { id: 'mem_omar' },
      body: { permissions: ['messaging:conversation:read', 'messaging:conversation:engage'] },
    },
  ],
});
