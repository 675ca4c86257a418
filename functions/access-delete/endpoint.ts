import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { member } from '#lib/kinds/access.ts';
import { partsOf } from '#lib/kinds/kind-endpoints.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import type { DescriptionsOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2; keys are revoked, never deleted. */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Delete a member or a webhook.',
  ...forManagement,
  permissions: [],
  routes: {
    members: {
      ...partsOf('delete', member),
      path: '/api/v1/manage/members/{id}',
      summary: 'Delete a member.',
      operation: 'access-member-delete',
    },
    webhooks: {
      ...partsOf('delete', webhook),
      path: '/api/v1/manage/webhooks/{id}',
      summary: 'Delete a webhook.',
      operation: 'manage-webhooks-delete',
      headers: z.object({ 'If-Match': headerText() }),
    },
  },
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  members: {
    tag: 'Management',
    text: "Removes a member. The member's keys are refused from the next request on. The last active member with `access:member:manage` cannot be removed: 409 `last_manager`.",
    path: { id: 'The id of the member.' },
    success: { description: 'The member was removed.' },
    refusals: ['last_manager'],
    examples: [{ name: 'gone', summary: 'Remove a member', key: 'admin', path: { id: 'mem_yara' } }],
  },
  webhooks: { like: 'delete', examples: [] },
});
