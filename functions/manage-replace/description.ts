import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, managePath, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Creates the record or replaces it as a whole: what the body leaves out gets its default, as at an import. Time stamps that the body has are stored as given; without them `createdAt` stays, and `updatedAt` becomes the time of the write. A write that changes nothing keeps the version.',
    'Everything that is wrong is answered at once, each with its path in the record.',
  ].join('\n\n'),
  path: managePath,
  query: {},
  headers: {
    ...writeHeaders,
    'If-None-Match': '`*`: the record is created, and an existing one is never replaced.',
  },
  body: { description: 'The whole record. Its `id` may be left out, but not differ from the address.' },
  success: { description: 'The record as it is now.', headers: { ...etagHeader, ...missingHeader } },
  more: {
    201: {
      description: 'The record is new.',
      headers: { ...etagHeader, ...missingHeader, ...locationHeader },
    },
  },
  refusals: ['not_found', 'validation_failed', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'customer',
      summary: 'A customer as a whole',
      key: 'admin',
      path: { kind: 'customers', id: 'cus_reem' },
      body: { externalId: 'crm-91', name: 'Reem Al-Qahtani', phone: '+966 55 700 0191' },
    },
  ],
});
