import * as z from 'zod/mini';
import { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import { defineEndpoint, forVisitors } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { announcedFiles, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';

/** lib/spec/interface.md section 4.5; lib/spec/decisions.md section 6 has the three kinds of upload. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/attachments',
  summary: 'Upload up to 5 files for messages, or request direct uploads.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  requestBodyMode: 'streamed',
  response: z.object({ files: z.array(UploadedFile) }),
  uses: ['table:read', 'table:transact', 'table:uploads', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});

const files = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      minItems: 1,
      maxItems: 5,
      description: 'One part with this name for each file, of at most 25 MB.',
    },
  },
  required: ['files'],
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Stores 1 to 5 files of at most 25 MB each, all of them or none. Other requests refer to a file by its `id` or `s3Key`.',
    'Send the files as `multipart/form-data`, or announce them as `application/json`. Each announced file gets `upload` in the response. Send its bytes there once, before `expiresAt`, with the `method` and `headers` of `upload`. On AWS, a multipart body has at most 4.4 MB, unless the service was deployed with web uploads. Announce larger files.',
    'Send an `Idempotency-Key` to retry an upload safely, after a broken connection or a 503. A retry within 24 hours, with the same files or announcement, gets the same attachments; they are stored once. Files are the same if their order, names, types and bytes are the same. A retried announcement gets the same `upload` while that is valid. Afterwards, a file that has not arrived is announced again, under another id.',
  ].join('\n\n'),
  headers: uploadHeaders,
  body: {
    description: 'The files, or their announcement.',
    content: { 'multipart/form-data': files, 'application/json': announcedFiles(5, 26_214_400) },
  },
  success: { description: 'The files in the order of the request.' },
  refusals: uploadRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'Request a direct upload of a large file',
      key: 'desk',
      body: { files: [{ name: 'menu.pdf', type: 'application/pdf', size: 18_000_000 }] },
    },
  ],
});
