import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Replaces the secret of a key. Only this response contains the new `secret`, with `Cache-Control: no-store`. The previous secret stays valid for `graceSeconds`. A second rotation ends the first grace period.',
    'The caller needs every permission of the key. Rotation changes neither `revokedAt` nor `expiresAt`.',
  ].join('\n\n'),
  path: { id: 'The id of the key.' },
  headers: {
    'Idempotency-Key':
      'A unique string for this write. A retry within 24 hours changes nothing and gets the first response, without the secret.',
  },
  body: {
    description: 'How long the previous secret stays valid.',
    properties: {
      graceSeconds: { description: 'In seconds, up to seven days. With 0, the previous secret ends immediately.' },
    },
  },
  success: { description: 'The key with its new secret.', headers: etagHeader },
  refusals: ['validation_failed', 'not_found', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'day',
      summary: 'Rotate with a grace period of one day',
      key: 'admin',
      path: { id: 'key_desk' },
      body: { graceSeconds: 86400 },
    },
  ],
});
