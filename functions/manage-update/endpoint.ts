import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2; a JSON Merge Patch (RFC 7396) in either media type. */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Update a record (JSON Merge Patch).',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('update', Object.values(writtenKinds)),
  isRoutedByPattern: true,
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: writesRecords,
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  like: 'update',
  examples: [
    {
      name: 'form',
      summary: 'Enable a form',
      key: 'admin',
      path: { kind: 'forms', id: 'form_catering' },
      body: { enabled: true },
    },
  ],
});
