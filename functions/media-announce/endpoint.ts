import * as z from 'zod/mini';
import { AnnouncedImage } from '#lib/domain/files/public-image.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { announcementBody, announcementRefusals, direct, uploadHeaders } from '#lib/openapi/upload-texts.ts';

/** lib/spec/additions.md section 2, "Media" */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media/announce',
  summary: 'Request a direct upload of a public image.',
  ...forManagement,
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  response: AnnouncedImage,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:media', 'files:write'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: `Announces an image of at most 10 MB. ${direct} Then POST to \`/api/v1/manage/media/{id}\`, which checks them. Until then, the URL of the image is 404. An image that is not confirmed within a day is removed.`,
  headers: uploadHeaders,
  body: announcementBody(1, 10),
  success: { description: 'The upload URL of the image.' },
  refusals: announcementRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'Request a direct upload of an image',
      key: 'admin',
      body: { files: [{ name: 'chef.png', type: 'image/png', size: 48213 }] },
    },
  ],
});
