import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/{kind}',
  summary: 'Create a record.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('create', Object.values(writtenKinds)),
  isRoutedByPattern: true,
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  status: 201,
  uses: writesRecords,
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  like: 'create',
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
