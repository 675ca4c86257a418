import { Image } from '#lib/domain/files/image.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media/{id}',
  summary: 'Check and publish a directly uploaded image.',
  ...forManagement,
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  response: Image,
  uses: ['table:read', 'table:transact', 'table:media', 'files:write'],
  // The file is read into memory as a whole.
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Checks the bytes of an announced image, removes its metadata, and makes it public. The request can be repeated. The response is 400 if the bytes are not an image of the five formats or have too many pixels, and 409 if they have not arrived.',
  path: { id: 'The `id` of the announcement.' },
  success: { description: 'The image object.' },
  refusals: ['validation_failed', 'conflict'],
});
