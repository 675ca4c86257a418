import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 4 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/widget.js',
  summary: 'Answer the script that puts the chat on a website.',
  keyIn: [],
  permissions: [],
  query: z.object({}),
  response: z.string(),
  uses: [],
});
