import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, managePath, mergePatchContent, missingHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Changes what the body names and nothing else: a JSON Merge Patch (RFC 7396). Objects are merged, lists are replaced as a whole. `null` removes a language or a member that may be absent, and sets to `null` what can be `null`; any other member refuses it.',
    'Concurrent patches of one record are all carried out, one after the other. Without a time stamp in the body `updatedAt` becomes the time of the write. A write that changes nothing keeps the version.',
  ].join('\n\n'),
  path: managePath,
  query: {},
  headers: writeHeaders,
  body: {
    description: 'The members to change, as `application/json` or as `application/merge-patch+json`.',
    content: mergePatchContent,
  },
  success: { description: 'The record as it is now.', headers: { ...etagHeader, ...missingHeader } },
  refusals: ['validation_failed', 'not_found', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'form',
      summary: 'A form that takes responses again',
      key: 'admin',
      path: { kind: 'forms', id: 'form_catering' },
      body: { enabled: true },
    },
  ],
});
