import { schemaRef } from './json-schema.ts';

/** The words that the descriptions of all management endpoints share. */
export const managePath = {
  kind: 'The kind of the record.',
  id: 'The id of the record.',
  modelId: 'The id of the CMS database.',
} as const;

export const writeHeaders = {
  'If-Match': 'One or several tags of versions, or `*`: the record is changed only if one of them is the stored one.',
  'Idempotency-Key':
    'A text of your own that names this write: it is carried out once, and a repetition within 24 hours gets the first answer.',
} as const;

export const etagHeader = {
  etag: { description: 'The version of the record, for `If-Match`.' },
} as const;

export const missingHeader = {
  'x-missing-references': {
    description:
      'The paths of what the record names and the workspace does not have, joined by `, `; absent without any.',
    isOptional: true,
  },
} as const;

export const locationHeader = { location: { description: 'The address of the new record.' } } as const;

/** The bodies of a merge patch. */
export const mergePatchContent = {
  'application/json': schemaRef('RecordMembers'),
  'application/merge-patch+json': schemaRef('RecordMembers'),
};

/** The descriptions of list parameters, those of single kinds included. */
export const listTexts = {
  limit: 'How many records a page has at most.',
  cursor: 'The `next` of the page before.',
  q: 'Only records that have every one of these words in a name, a title, a slug or an id; spelling variants of letters and digits count as the same.',
  modelId: 'The id of the CMS database whose entries are listed; it is required.',
  filter: 'Conditions on fields, as on the list of entries: `filter[field]=value` or `filter[field][op]=value`.',
  sort: 'Fields to sort by, as on the list of entries; without it the newest come first.',
  search: 'As `q`.',
  locale: 'The language in which texts are compared; records have all languages.',
  categoryId: 'Only products of the category with this id.',
  published: 'Only records that are published, or only those that are not.',
  soldout: 'Only products that are sold out now, or only those that are not.',
  formId: 'Only responses to the form with this id.',
  since: 'Only responses from this time on, such as `2026-01-31T09:00:00Z`.',
  until: 'Only responses before this time.',
  unread: 'Only notifications that are unread, or only those that are not.',
} as const;
