import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, managePath, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Creates a record. Without `id` one is made, at random: send an `Idempotency-Key`, so that a repetition makes no second record. Everything that is wrong is answered at once, each with its path in the record.',
  path: managePath,
  query: {},
  headers: { 'Idempotency-Key': writeHeaders['Idempotency-Key'] },
  body: { description: 'The whole record.' },
  success: { description: 'The new record.', headers: { ...etagHeader, ...missingHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'customer',
      summary: 'A new customer',
      key: 'admin',
      path: { kind: 'customers' },
      body: { id: 'cus_noor', externalId: 'crm-90', name: 'Noor Al-Otaibi', email: 'noor@example.com' },
    },
  ],
});
