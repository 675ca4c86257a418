import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, managePath, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Creates a record. Without `id`, the record gets a random one: send an `Idempotency-Key`, so that a retry creates no duplicate. A 400 lists all errors, each with its path in the record.',
  path: managePath,
  headers: { 'Idempotency-Key': writeHeaders['Idempotency-Key'] },
  body: { description: 'The whole record.' },
  success: { description: 'The new record.', headers: { ...etagHeader, ...missingHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'customer',
      summary: 'Create a customer',
      key: 'admin',
      path: { kind: 'customers' },
      body: { id: 'cus_noor', externalId: 'crm-90', name: 'Noor Al-Otaibi', email: 'noor@example.com' },
    },
  ],
});
