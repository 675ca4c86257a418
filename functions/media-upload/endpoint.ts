import * as z from 'zod/mini';
import { Image } from '#lib/domain/files/image.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { multipartBody, multipartLimit, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media',
  summary: 'Upload a public image.',
  ...forManagement,
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  requestBodyMode: 'streamed',
  response: Image,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:media', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Stores a public image. The response is an image object for `media` fields of entries and for images of products and categories.',
    'PNG, JPEG, GIF, WebP and AVIF are recognized by their content, not by the name of the file. SVG is not accepted. The file must be complete, without bytes after its end, and 1 to 16,384 pixels wide and high. It may have 25 million pixels, all frames of an animation together. Positions, times, names and other metadata of the camera are removed; the colour profile and the orientation stay.',
    multipartLimit('/api/v1/manage/media/announce'),
  ].join('\n\n'),
  headers: uploadHeaders,
  body: multipartBody(1, 10),
  success: { description: 'The image object.' },
  refusals: uploadRefusals,
});
