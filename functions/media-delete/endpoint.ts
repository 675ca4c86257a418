import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/media/{id}',
  summary: 'Delete an unused public image.',
  ...forManagement,
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:transact', 'table:media'],
  // It may read all records of a workspace.
  lambda: { timeoutSeconds: 29 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Deletes an image that no record refers to. Its URL is then 404, but browsers and the CDN may keep a copy. If records refer to the image, the response is 409 and `errors` names up to 20 of them.',
  path: { id: 'The `id` of the image.' },
  success: { description: 'The image was deleted.' },
  refusals: ['in_use'],
});
