import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { apiKey, member } from '#lib/kinds/access.ts';
import { partsOf, routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { type DescriptionsOf, wordsOfKinds } from '#lib/openapi/description.ts';
import { etagHeader, mergePatchContent } from '#lib/openapi/manage-texts.ts';

const webhooks = routesOfKinds('update', [webhook]);

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Update an API key, a member or a webhook.',
  ...forManagement,
  permissions: [],
  routes: {
    'api-keys': {
      ...partsOf('update', apiKey),
      path: '/api/v1/manage/api-keys/{id}',
      summary: 'Update or revoke an API key.',
      operation: 'access-key-update',
    },
    members: {
      ...partsOf('update', member),
      path: '/api/v1/manage/members/{id}',
      summary: 'Update a member.',
      operation: 'access-member-update',
    },
    ...webhooks,
  },
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

const body = { description: 'The properties to change.', content: mergePatchContent };

export const description = (): DescriptionsOf<typeof endpoint> => ({
  'api-keys': {
    tag: 'Management',
    text: [
      'Changes `name`, `permissions`, `expiresAt` and `revokedAt` (JSON Merge Patch). From `revokedAt` on, the key and its previous secret are refused. Keys are revoked, never deleted.',
      'A caller cannot grant a permission that it lacks. To change the expiry of a key or to undo its revocation, the caller needs every permission of the key.',
    ].join('\n\n'),
    path: { id: 'The id of the key.' },
    body,
    success: { description: 'The changed key.', headers: etagHeader },
    examples: [
      {
        name: 'revoke',
        summary: 'Revoke a key',
        key: 'admin',
        path: { id: 'key_expired' },
        body: { revokedAt: '2026-02-01T09:00:00.000Z' },
      },
    ],
  },
  members: {
    tag: 'Management',
    text: "Changes properties of a member (JSON Merge Patch). Changes of `active` and `permissions` apply from the next request on, also to the member's keys. A caller cannot grant a permission that it lacks: 403 names the first one. To change a member's e-mail address or to activate a member, the caller needs every permission that the member then has. The last active member with `access:member:manage` cannot lose it: 409 `last_manager`.",
    path: { id: 'The id of the member.' },
    body,
    success: { description: 'The changed member.', headers: etagHeader },
    refusals: ['last_manager'],
    examples: [
      {
        name: 'engage',
        summary: 'Allow a member to reply',
        key: 'admin',
        path: { id: 'mem_omar' },
        body: { permissions: ['messaging:conversation:read', 'messaging:conversation:engage'] },
      },
    ],
  },
  ...wordsOfKinds(webhooks, { like: 'update' }),
});
