import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/session',
  summary: 'Sign out.',
  keyIn: [],
  callers: ['session'],
  permissions: [],
  response: z.object({ logoutUrl: z.string() }),
  uses: ['table:read', 'table:sessions', 'identity:sign-in'],
});
