import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  refusesHead: true,
  path: '/api/v1/session/login',
  summary: 'Start a sign-in.',
  keyIn: [],
  permissions: [],
  query: z.object({ workspaceId: z.optional(z.string()) }),
  response: z.object({}),
  status: 302,
  uses: ['identity:sign-in'],
});
