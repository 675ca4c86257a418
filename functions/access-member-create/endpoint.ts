import * as z from 'zod/mini';
import { Member } from '#lib/domain/access/member.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/members',
  summary: 'Create a member.',
  ...forManagement,
  permissions: ['access:member:read', 'access:member:manage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: Member,
  status: 201,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Creates a member. An e-mail address belongs to at most one member of the workspace. A caller cannot grant a permission that it lacks: 403 names the first one.',
  headers: { 'Idempotency-Key': writeHeaders['Idempotency-Key'] },
  body: { description: 'The member.', content: { 'application/json': { $ref: '#/components/schemas/MemberInput' } } },
  success: { description: 'The member.', headers: { ...etagHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'new',
      summary: 'Create a member',
      key: 'admin',
      body: {
        id: 'mem_yara',
        name: 'Yara Nasser',
        email: 'yara@saffron.example',
        permissions: ['messaging:conversation:read'],
      },
    },
  ],
});
