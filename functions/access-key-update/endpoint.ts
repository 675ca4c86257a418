import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { ApiKeyView } from '#lib/kinds/access.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, mergePatchContent, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/api-keys/{id}',
  summary: 'Update or revoke an API key.',
  ...forManagement,
  permissions: ['access:key:read', 'access:key:manage'],
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: ApiKeyView,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Changes `name`, `permissions`, `expiresAt` and `revokedAt` (JSON Merge Patch). From `revokedAt` on, the key and its previous secret are refused. Keys are revoked, never deleted.',
    'A caller cannot grant a permission that it lacks. To change the expiry of a key or to undo its revocation, the caller needs every permission of the key.',
  ].join('\n\n'),
  path: { id: 'The id of the key.' },
  headers: writeHeaders,
  body: {
    description: 'The properties to change.',
    content: mergePatchContent,
  },
  success: { description: 'The changed key.', headers: etagHeader },
  refusals: ['validation_failed', 'not_found', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'revoke',
      summary: 'Revoke a key',
      key: 'admin',
      path: { id: 'key_expired' },
      body: { revokedAt: '2026-02-01T09:00:00.000Z' },
    },
  ],
});
