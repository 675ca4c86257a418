import * as z from 'zod/mini';
import { UploadedFile } from '#lib/domain/files/uploaded-file.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';

/** lib/spec/interface.md section 4.5; lib/spec/decisions.md section 6 has the three kinds of upload. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/attachments',
  summary: 'Upload up to 5 files for messages, or request direct uploads.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  bodies: 'streamed',
  response: z.object({ files: z.array(UploadedFile) }),
  uses: ['table:read', 'table:transact', 'table:uploads', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});
