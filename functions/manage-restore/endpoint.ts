import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfHistory } from '#lib/kinds/history-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, missingHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 14 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Restore a version of a record.',
  ...forManagement,
  permissions: [],
  routes: routesOfHistory('restore'),
  isRoutedByPattern: true,
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: z.strictObject({ version: z.string() }),
  response: z.looseObject({}),
  uses: [...writesRecords, 'table:workspace', 'files:history-read'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Makes the record that of one of its versions, also if it was deleted. It is a write like PUT, with the same checks against the databases and the languages of today. A 400 lists all errors, each with its path in the record.',
    'A record that exists keeps `createdAt`, and the values of fields that the caller does not see. Times of publication that have passed become `null`. Restoring what is stored changes nothing.',
  ].join('\n\n'),
  body: {
    description: 'The version to restore.',
    properties: { version: { description: 'The id of a version of this record that is no deletion.' } },
  },
  success: { description: 'The restored record.', headers: { ...etagHeader, ...missingHeader } },
  more: {
    201: {
      description: 'The record, which was deleted.',
      headers: { ...etagHeader, ...missingHeader, ...locationHeader },
    },
  },
  // It refers to nothing, and cannot be deleted.
  onlyFor: {
    'workspace/restore': { success: { description: 'The restored workspace.', headers: etagHeader }, more: {} },
  },
  refusals: ['not_found', 'already_exists', 'in_use', 'use_import'],
});
