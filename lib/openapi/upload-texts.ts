import * as z from 'zod/mini';
import type { BodyDescription } from './description.ts';
import type { RefusalCode } from './refusals.ts';

// Attachments and public images are sent alike, in a form or announced.

const megabyte = 1_048_576;

/** The form with the files, each of at most `megabytesMax`. */
export const multipartBody = (filesMax: number, megabytesMax: number): BodyDescription => ({
  description: filesMax === 1 ? 'The file.' : 'The files.',
  content: {
    'multipart/form-data': {
      type: 'object',
      properties: { files: filesMax === 1 ? fileOf(megabytesMax) : listOf(filesMax, megabytesMax) },
      required: ['files'],
    },
  },
});

const binary = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

const fileOf = (megabytesMax: number) => ({ ...binary, description: `The file, of at most ${megabytesMax} MB.` });

const listOf = (filesMax: number, megabytesMax: number) => ({
  type: 'array',
  items: binary,
  minItems: 1,
  maxItems: filesMax,
  description: `One part with this name for each file, of at most ${megabytesMax} MB.`,
});

/** The announcement of files, each of at most `megabytesMax`. */
export function announcementBody(filesMax: number, megabytesMax: number): BodyDescription {
  const text = (description: string) => z.string().check(z.describe(description));
  const bytes = z.int().check(z.minimum(0), z.maximum(megabytesMax * megabyte));
  const file = z.strictObject({
    name: text('The name of the file.'),
    type: text('The media type of the file.'),
    size: bytes.check(z.describe('The exact size of the file in bytes.')),
  });
  const body = z.strictObject({ files: z.array(file).check(z.minLength(1), z.maxLength(filesMax)) });
  const { $schema, ...schema } = z.toJSONSchema(body);
  return { description: 'Name, type and size of each file.', content: { 'application/json': schema } };
}

/** @param address where larger files are announced */
export const multipartLimit = (address: string): string =>
  `On AWS, the body has at most 4.4 MB, unless the service was deployed with web uploads. Announce larger files at \`${address}\`.`;

/** What to do with the response to an announcement. */
export const direct =
  'The response has `upload`: send the bytes there once, before `expiresAt`, with its `method` and `headers`.';

export const uploadHeaders = {
  'Idempotency-Key': 'A unique string for this upload. A refused upload does not use it up.',
};

export const announcementRefusals: readonly RefusalCode[] = [
  'unsupported_media_type',
  'file_too_large',
  'body_too_large',
  'no_files',
  'too_many_files',
  'invalid_body',
];

export const uploadRefusals: readonly RefusalCode[] = [...announcementRefusals, 'malformed_multipart'];
