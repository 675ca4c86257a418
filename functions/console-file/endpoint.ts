import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 7 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/console/{file}',
  summary: 'Get a script or the style sheet of the console.',
  keyIn: [],
  permissions: [],
  response: z.string(),
  isEdgeCached: true,
  uses: [],
});
