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

export const etagHeader = {
  etag: { description: 'The version of the record, for `If-Match`.' },
} as const;

export const missingHeader = {
  'x-missing-references': {
    description: 'The paths of references to missing records, separated by `, `; absent if there are none.',
    isOptional: true,
  },
} as const;

export const locationHeader = { location: { description: 'The URL of the new record.' } } as const;

/** The bodies of a merge patch. */
export const mergePatchContent = {
  'application/json': schemaRef('RecordMembers'),
  'application/merge-patch+json': schemaRef('RecordMembers'),
};

/** The descriptions of list parameters, including those of single kinds. */
export const listTexts = {
  limit: 'The maximum number of records on a page.',
  cursor: 'The `next` of the previous page.',
  q: 'Only records with each of these words in a name, a title, a slug or an id. Spelling variants of letters and digits are equal.',
  modelId: 'The id of the CMS database.',
  filter: 'Conditions on fields, as on the list of entries: `filter[field]=value` or `filter[field.operator]=value`.',
  sort: 'Fields to sort by, as on the list of entries. By default, the newest are first.',
  search: 'The same as `q`.',
  locale: 'The language in which texts are compared; records have all languages.',
  categoryId: 'Only products of the category with this id.',
  published: '`true` lists only published records, `false` only others.',
  soldout: '`true` lists only products that are sold out now, `false` only others.',
  formId: 'Only responses to the form with this id.',
  since: 'Only responses at this time or later, such as `2026-01-31T09:00:00Z`.',
  until: 'Only responses before this time.',
  unread: '`true` lists only unread notifications, `false` only others.',
} as const;
