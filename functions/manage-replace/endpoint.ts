import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PUT'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Create or replace a record.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('replace', Object.values(writtenKinds)),
  isRoutedByPattern: true,
  headers: z.object({
    'If-Match': headerText(),
    'If-None-Match': headerText(),
    'Idempotency-Key': idempotencyKey(),
  }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: writesRecords,
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  like: 'replace',
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
