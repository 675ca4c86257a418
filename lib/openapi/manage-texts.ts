import { schemaRef } from './json-schema.ts';

/** The texts that all management endpoints share. */
export const managePath = {
  kind: 'The kind of the record.',
  id: 'The id of the record.',
  modelId: 'The id of the CMS database.',
} as const;

export const writeHeaders = {
  'If-Match': 'One or more ETags, or `*`. The record is changed only if one of them matches the stored version.',
  'Idempotency-Key':
    'A unique string for this write. A retry within 24 hours changes nothing and gets the first response.',
} as const;

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

/** The parameters of routes about versions. */
export const versionPath = { ...managePath, version: 'The id of the version.' } as const;

/** The parameters of lists of versions and of deleted records. */
export const pageTexts = {
  limit: 'The maximum number of items on a page.',
  cursor: 'The `next` of the previous page.',
} as const;

export const mergePatchContent = {
  'application/json': schemaRef('RecordMembers'),
  'application/merge-patch+json': schemaRef('RecordMembers'),
};

/** The descriptions of the parameters of all lists. */
export const listTexts = {
  limit: 'The maximum number of records on a page.',
  cursor: 'The `next` of the previous page.',
  q: 'Only records with each of these words in a name, a title, a slug or an id. Spelling variants of letters and digits are equal.',
} as const;
