import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { member } from '#lib/kinds/access.ts';
import { partsOf } from '#lib/kinds/kind-endpoints.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionsOf } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2; keys are not replaced. */
export const endpoint = defineEndpoint({
  methods: ['PUT'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Create or replace a member.',
  ...forManagement,
  permissions: [],
  routes: {
    members: {
      ...partsOf('replace', member),
      path: '/api/v1/manage/members/{id}',
      summary: 'Create or replace a member.',
      operation: 'access-member-replace',
    },
  },
  headers: z.object({
    'If-Match': headerText(),
    'If-None-Match': headerText(),
    'Idempotency-Key': idempotencyKey(),
  }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  members: {
    tag: 'Management',
    text: "Creates a member or replaces it as a whole. Properties missing from the body get their defaults. A caller cannot grant a permission that it lacks: 403 names the first one. To change a member's e-mail address or to activate a member, the caller needs every permission that the member then has. The last active member with `access:member:manage` cannot lose it: 409 `last_manager`.",
    path: { id: 'The id of the member.' },
    headers: {
      'If-None-Match': '`*`: the request only creates, and never replaces an existing member.',
    },
    body: { description: 'The member.' },
    success: { description: 'The replaced member.', headers: etagHeader },
    more: { 201: { description: 'The member is new.', headers: { ...etagHeader, ...locationHeader } } },
    refusals: ['last_manager'],
    examples: [
      {
        name: 'whole',
        summary: 'Replace a member',
        key: 'admin',
        path: { id: 'mem_omar' },
        body: { name: 'Omar Siddiq', email: 'omar@saffron.example', permissions: ['messaging:conversation:read'] },
      },
    ],
  },
});
