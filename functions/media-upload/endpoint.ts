import * as z from 'zod/mini';
import { UploadedImage } from '#lib/domain/files/public-image.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media',
  summary: 'Upload a public image, or request a direct upload.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  keyMember: 'counts',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  bodies: 'streamed',
  response: UploadedImage,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:media', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});
