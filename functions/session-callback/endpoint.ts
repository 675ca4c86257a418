import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 6. The handler checks the identity provider's parameters, and no page shows them. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  refusesHead: true,
  path: '/api/v1/session/callback',
  summary: 'Complete a sign-in.',
  keyIn: [],
  permissions: [],
  query: z.object({
    code: z.optional(z.string()),
    state: z.optional(z.string()),
    iss: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
  response: z.object({}),
  status: 302,
  uses: ['table:read', 'table:sessions', 'table:sign-in', 'identity:sign-in'],
  // The call waits for the issuer.
  lambda: { timeoutSeconds: 15 },
});
