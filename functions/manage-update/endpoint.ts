import * as z from 'zod/mini';
import { defineEndpoint, forManagement, writesRecords } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, managePath, mergePatchContent, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2; a JSON Merge Patch (RFC 7396) in either media type. */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Update a record (JSON Merge Patch).',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('update'),
  isRoutedByPattern: true,
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: writesRecords,
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Changes only the properties in the body: a JSON Merge Patch (RFC 7396). Objects are merged, lists are replaced as a whole. `null` removes a language or an optional property, and clears a nullable one. For any other property, `null` is refused.',
    'Concurrent patches of one record are all applied, one after the other. Without a time stamp in the body, `updatedAt` becomes the time of the write. A write without a change keeps the version.',
  ].join('\n\n'),
  path: managePath,
  headers: writeHeaders,
  body: {
    description: 'The properties to change, as `application/json` or as `application/merge-patch+json`.',
    content: mergePatchContent,
  },
  success: { description: 'The changed record.', headers: { ...etagHeader, ...missingHeader } },
  refusals: [
    ...(['validation_failed', 'not_found', 'precondition_failed'] as const),
    ...(['in_use', 'use_import', 'conflict', 'idempotency_key_reused'] as const),
  ],
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
