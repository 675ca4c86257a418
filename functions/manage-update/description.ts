import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, managePath, mergePatchContent, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
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
