import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { IssuedApiKey } from '#lib/kinds/access.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/api-keys',
  summary: 'Create an API key. Only this response contains its secret.',
  ...forManagement,
  permissions: ['access:key:read', 'access:key:manage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: IssuedApiKey,
  status: 201,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Creates an API key. Only this response contains its `secret`, with `Cache-Control: no-store`. The service stores only a hash. A retry with the same `Idempotency-Key` gets the record without the secret.',
    'Without `permissions`, the key can read published content, the menu and forms, and submit forms. A caller cannot grant a permission that it lacks: 403 names the first one. A key of another member speaks as that member, so it also requires `access:member:manage` and every permission of the member. A member has at most 50 keys.',
  ].join('\n\n'),
  headers: {
    'Idempotency-Key':
      'A unique string for this write. A retry within 24 hours changes nothing and gets the first response, without the secret.',
  },
  body: {
    description: 'The key. Only `name` is required.',
    content: { 'application/json': { $ref: '#/components/schemas/ApiKeyInput' } },
  },
  success: { description: 'The key with its secret.', headers: { ...etagHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'till',
      summary: 'Create a key that reads the menu',
      key: 'admin',
      body: { name: 'Till', permissions: ['menu:product:read', 'menu:category:read'] },
    },
  ],
});
