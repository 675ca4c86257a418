import { Image } from '#lib/domain/files/image.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/media/{id}',
  summary: 'Check and publish a directly uploaded image.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:update', 'menu:product:manage'],
  permissionsNeeded: 'any',
  keyMember: 'counts',
  response: Image,
  uses: ['table:read', 'table:transact', 'table:media', 'files:read'],
  // The file is read into memory as a whole.
  lambda: { memoryMegabytes: 1024, timeoutSeconds: 29 },
});
