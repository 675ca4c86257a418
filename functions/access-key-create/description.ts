import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Creates an API key. The service makes its `secret` and answers it this one time, with `Cache-Control: no-store`; only its hash is stored. A repetition with the same `Idempotency-Key` gets the record without the secret.',
    'Without `permissions` the key may read published content, the menu and forms, and submit forms. A caller cannot grant a permission that it does not have: 403 names the first one. A member has at most 50 keys.',
  ].join('\n\n'),
  path: {},
  query: {},
  headers: {
    'Idempotency-Key':
      'A text of your own that names this write: it is carried out once, and a repetition within 24 hours gets the first answer without the secret.',
  },
  body: {
    description: 'The key: `name`, and what else is wanted of it.',
    content: { 'application/json': { $ref: '#/components/schemas/ApiKeyInput' } },
  },
  success: { description: 'The key with its secret.', headers: { ...etagHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'till',
      summary: 'A key that reads the menu',
      key: 'admin',
      body: { name: 'Till', permissions: ['menu:product:read', 'menu:category:read'] },
    },
  ],
});
