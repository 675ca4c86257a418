import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forPeople } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { sessionCookieHeader } from '#lib/openapi/session-texts.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/session',
  summary: 'Sign out.',
  ...forPeople,
  response: z.object({ logoutUrl: z.string() }),
  uses: ['table:read', 'table:sessions', 'identity:sign-in'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Ends the session with this service. `logoutUrl` is a page that also ends the session with the identity provider, and redirects to the console. The next login then asks for credentials.',
  success: { description: 'The page to open next.', headers: sessionCookieHeader },
  examples: [{ name: 'end', summary: 'Signed out', session: 'lina@saffron.example' }],
});
