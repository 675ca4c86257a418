import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 7 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/console',
  summary: 'Get the page of the management console.',
  keyIn: [],
  permissions: [],
  response: z.string(),
  uses: ['files:address'],
});
