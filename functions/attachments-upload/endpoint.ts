import * as z from 'zod/mini';
import { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forVisitors } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { multipartBody, multipartLimit, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';

/** lib/spec/interface.md section 4.5; lib/spec/decisions.md section 6 has the three kinds of upload. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/attachments',
  summary: 'Upload up to 5 files for messages.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  requestBodyMode: 'streamed',
  response: z.object({ files: z.array(UploadedFile) }),
  uses: ['table:read', 'table:transact', 'table:uploads', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Stores 1 to 5 files of at most 25 MB each, all of them or none. Other requests refer to a file by its `id` or `s3Key`.',
    multipartLimit('/api/v1/connect/attachments/announce'),
    'Send an `Idempotency-Key` to retry an upload safely, after a broken connection or a 503. A retry within 24 hours, with the same files, gets the same attachments; they are stored once. Files are the same if their order, names, types and bytes are the same.',
  ].join('\n\n'),
  headers: uploadHeaders,
  body: multipartBody(5, 25),
  success: { description: 'The files in the order of the request.' },
  refusals: uploadRefusals,
});
