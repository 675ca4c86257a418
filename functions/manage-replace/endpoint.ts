import * as z from 'zod/mini';
import { defineEndpoint, forManagement, writesRecords } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, managePath, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PUT'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Create or replace a record.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('replace'),
  isRoutedByPattern: true,
  headers: z.object({
    'If-Match': headerText(),
    'If-None-Match': headerText(),
    'Idempotency-Key': idempotencyKey(),
  }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: writesRecords,
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Creates the record or replaces it as a whole. Properties missing from the body get their defaults, as in an import. Time stamps in the body are stored unchanged. Without them `createdAt` stays, and `updatedAt` becomes the time of the write. A write without a change keeps the version.',
    'A 400 lists all errors, each with its path in the record.',
  ].join('\n\n'),
  path: managePath,
  headers: {
    ...writeHeaders,
    'If-None-Match': '`*`: the request only creates, and never replaces an existing record.',
  },
  body: { description: 'The whole record. Its `id` is optional, and must be that of the path.' },
  success: { description: 'The replaced record.', headers: { ...etagHeader, ...missingHeader } },
  more: {
    201: {
      description: 'The new record.',
      headers: { ...etagHeader, ...missingHeader, ...locationHeader },
    },
  },
  refusals: [
    ...(['not_found', 'validation_failed', 'precondition_failed'] as const),
    ...(['already_exists', 'in_use', 'use_import', 'conflict', 'idempotency_key_reused'] as const),
  ],
  examples: [
    {
      name: 'customer',
      summary: 'Replace a customer',
      key: 'admin',
      path: { kind: 'customers', id: 'cus_reem' },
      body: { externalId: 'crm-91', name: 'Reem Al-Qahtani', phone: '+966 55 700 0191' },
    },
  ],
});
