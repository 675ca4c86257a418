import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, mergePatchContent, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Changes `name`, `permissions`, `expiresAt` and `revokedAt` (JSON Merge Patch). A key whose `revokedAt` has come stops with the next request, its former secret too. Keys are revoked and never deleted.',
    'A caller cannot grant a permission that it does not have. To change the expiry of a key or to undo its revocation, the caller needs every permission of the key.',
  ].join('\n\n'),
  path: { id: 'The id of the key.' },
  query: {},
  headers: writeHeaders,
  body: {
    description: 'The members to change.',
    content: mergePatchContent,
  },
  success: { description: 'The key as it is now.', headers: etagHeader },
  refusals: ['validation_failed', 'not_found', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'revoke',
      summary: 'A key that is revoked',
      key: 'admin',
      path: { id: 'key_expired' },
      body: { revokedAt: '2026-02-01T09:00:00.000Z' },
    },
  ],
});
