import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forEveryone } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { redirectHeaders } from '#lib/openapi/session-texts.ts';

/** lib/spec/additions.md section 6. The handler checks the identity provider's parameters, and no page shows them. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  refusesHead: true,
  path: '/api/v1/session/callback',
  summary: 'Complete a sign-in.',
  ...forEveryone,
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

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Begins the session and redirects to the console. Only the identity provider sends browsers here. A failure also redirects to the console, with `error` in the URL: `cancelled`, `expired`, `not_a_member`, `identity_mismatch` or `unavailable`. HEAD is 405, because the request begins a session.',
  query: {
    code: 'The code of the identity provider.',
    state: 'The state of the login.',
    iss: 'The name of the identity provider.',
    error: 'The reason why the identity provider refused the sign-in.',
  },
  success: { description: 'The URL of the console, and the cookie of the session.', headers: redirectHeaders },
});
