import * as z from 'zod/mini';
import { UploadedImage } from '#lib/domain/files/public-image.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { announcedFiles, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media',
  summary: 'Upload a public image, or request a direct upload.',
  ...forManagement,
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  requestBodyMode: 'streamed',
  response: UploadedImage,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:media', 'files:write'],
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});

const file = {
  type: 'object',
  properties: {
    files: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'The image, of at most 10 MB.',
    },
  },
  required: ['files'],
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Stores a public image. The response is an image object for `media` fields of entries and for images of products and categories.',
    'PNG, JPEG, GIF, WebP and AVIF are recognized by their content, not by the name of the file. SVG is not accepted. The file must be complete, without bytes after its end, and 1 to 16,384 pixels wide and high. It may have 25 million pixels, all frames of an animation together. Positions, times, names and other metadata of the camera are removed; the colour profile and the orientation stay.',
    'Send the file as `multipart/form-data`, or announce it as `application/json`. The response to an announcement has `upload`. Send the bytes there once, before `expiresAt`, with the `method` and `headers` of `upload`. Then POST to `/api/v1/manage/media/{id}`, which checks them. Until then, the URL of the image is 404. An image that is not confirmed within a day is removed. On AWS, a multipart body has at most 4.4 MB, unless the service was deployed with web uploads. Announce larger files.',
  ].join('\n\n'),
  headers: uploadHeaders,
  body: {
    description: 'The image, or its announcement.',
    content: { 'multipart/form-data': file, 'application/json': announcedFiles(1, 10_485_760) },
  },
  success: { description: 'The image object, or the upload URL of an announced image.' },
  refusals: uploadRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'Request a direct upload of an image',
      key: 'admin',
      body: { files: [{ name: 'chef.png', type: 'image/png', size: 48213 }] },
    },
  ],
});
