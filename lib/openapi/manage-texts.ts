import { schemaRef } from './json-schema.ts';

/** Of a write whose answer has a new secret. */
export const issuedHeaders = {
  'Idempotency-Key':
    'A unique string for this write. A retry within 24 hours changes nothing and gets the first response, without the secret.',
} as const;

export const etagHeader = {
  etag: { description: 'The version of the record, for `If-Match`.' },
} as const;

export const missingHeader = {
  'x-missing-references': {
    description: 'The paths of references to missing records, at most 20, separated by `, `; absent if there are none.',
    isOptional: true,
  },
} as const;

export const locationHeader = { location: { description: 'The URL of the new record.' } } as const;

export const mergePatchContent = {
  'application/json': schemaRef('RecordMembers'),
  'application/merge-patch+json': schemaRef('RecordMembers'),
};
