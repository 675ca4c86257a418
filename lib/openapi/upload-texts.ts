import type { Json } from './json-schema.ts';
import type { RefusalCode } from './refusals.ts';

/** The JSON body that announces files, each of at most `bytesMax` bytes. */
export const announcedFiles = (filesMax: number, bytesMax: number): Json => ({
  type: 'object',
  properties: {
    files: {
      type: 'array',
      minItems: 1,
      maxItems: filesMax,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the file.' },
          type: { type: 'string', description: 'The media type of the file.' },
          size: { type: 'integer', minimum: 0, maximum: bytesMax, description: 'The exact size of the file in bytes.' },
        },
        required: ['name', 'type', 'size'],
        additionalProperties: false,
      },
    },
  },
  required: ['files'],
  additionalProperties: false,
});

export const uploadHeaders = {
  'Idempotency-Key': 'A unique string for this upload. A refused upload does not use it up.',
};

export const uploadRefusals: readonly RefusalCode[] = [
  'unsupported_media_type',
  'file_too_large',
  'body_too_large',
  'malformed_multipart',
  'no_files',
  'too_many_files',
  'invalid_body',
  'validation_failed',
  'conflict',
  'idempotency_key_reused',
];
