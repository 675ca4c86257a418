import { etagHeader, locationHeader, mergePatchContent, missingHeader } from './manage-texts.ts';

const create = {
  tag: 'Management',
  text: 'Creates a record. Without `id`, the record gets a random one: send an `Idempotency-Key`, so that a retry creates no duplicate. A 400 lists all errors, each with its path in the record. Of a webhook, only this response contains the `secret`, with `Cache-Control: no-store`.',
  body: { description: 'The whole record.' },
  success: { description: 'The new record.', headers: { ...etagHeader, ...missingHeader, ...locationHeader } },
  refusals: ['already_exists'],
} as const;

const replace = {
  tag: 'Management',
  text: [
    'Creates the record or replaces it as a whole. Properties missing from the body get their defaults, as in an import. Time stamps in the body are stored unchanged. Without them `createdAt` stays, and `updatedAt` becomes the time of the write. A write without a change keeps the version.',
    'A 400 lists all errors, each with its path in the record.',
  ].join('\n\n'),
  headers: {
    'If-None-Match': '`*`: the request only creates, and never replaces an existing record.',
  },
  body: { description: 'The whole record. Its `id` is optional, and must be that of the path.' },
  success: { description: 'The replaced record.', headers: { ...etagHeader, ...missingHeader } },
  more: {
    201: {
      description: 'The new record.',
      headers: { ...etagHeader, ...missingHeader, ...locationHeader },
    },
  },
  refusals: ['already_exists', 'in_use', 'use_import'],
} as const;

/** Of a JSON Merge Patch (RFC 7396) in either media type. */
const update = {
  tag: 'Management',
  text: [
    'Changes only the properties in the body: a JSON Merge Patch (RFC 7396). Objects are merged, lists are replaced as a whole. `null` removes a language or an optional property, and clears a nullable one. For any other property, `null` is refused.',
    'Concurrent patches of one record are all applied, one after the other. Without a time stamp in the body, `updatedAt` becomes the time of the write. A write without a change keeps the version.',
  ].join('\n\n'),
  body: {
    description: 'The properties to change, as `application/json` or as `application/merge-patch+json`.',
    content: mergePatchContent,
  },
  success: { description: 'The changed record.', headers: { ...etagHeader, ...missingHeader } },
  refusals: ['in_use', 'use_import'],
} as const;

const remove = {
  tag: 'Management',
  text: 'Deletes the record permanently. A category with products, a form with responses, and a channel or customer with conversations cannot be deleted: 409 `in_use`. `errors` then names up to 20 records that refer to it.',
  success: { description: 'The record was deleted.' },
  refusals: ['in_use'],
} as const;

/** The words of writes, which the functions of several kinds share. */
export const writeWords = { create, replace, update, delete: remove };
