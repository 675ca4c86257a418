import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/media/{key}',
  summary: 'Download a public image.',
  keyIn: [],
  permissions: [],
  headers: z.object({ 'If-None-Match': headerText(), 'If-Range': headerText(), Range: headerText() }),
  response: z.unknown(),
  answers: 'streamed',
  isEdgeCached: true,
  uses: ['table:media-read', 'files:media-read'],
  // The time for the largest image over a slow connection.
  lambda: { timeoutSeconds: 120 },
});
