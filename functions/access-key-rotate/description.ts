import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Gives a key a new `secret`, answered this one time with `Cache-Control: no-store`. The former secret counts for `graceSeconds` more; a second rotation ends the first grace.',
    'One needs every permission that the key has. Rotation changes neither `revokedAt` nor `expiresAt`.',
  ].join('\n\n'),
  path: { id: 'The id of the key.' },
  query: {},
  headers: {
    'Idempotency-Key':
      'A text of your own that names this write: it is carried out once, and a repetition within 24 hours gets the first answer without the secret.',
  },
  body: {
    description: 'How long the former secret counts.',
    members: { graceSeconds: { description: 'In seconds, up to seven days; 0 ends it at once.' } },
  },
  success: { description: 'The key with its new secret.', headers: etagHeader },
  refusals: ['validation_failed', 'not_found', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'day',
      summary: 'A new secret; the former one counts for a day',
      key: 'admin',
      path: { id: 'key_desk' },
      body: { graceSeconds: 86400 },
    },
  ],
});
