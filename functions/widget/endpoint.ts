import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 4 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/widget.js',
  summary: 'Get the script of the chat widget.',
  keyIn: [],
  permissions: [],
  response: z.string(),
  uses: [],
});
