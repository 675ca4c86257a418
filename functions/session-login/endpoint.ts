import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forEveryone } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { redirectHeaders } from '#lib/openapi/session-texts.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  refusesHead: true,
  path: '/api/v1/session/login',
  summary: 'Start a sign-in.',
  ...forEveryone,
  query: z.object({ workspaceId: z.optional(z.string()) }),
  response: z.object({}),
  status: 302,
  uses: ['identity:sign-in'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Redirects a browser to the identity provider: open it as a page. The provider redirects to `/api/v1/session/callback`. HEAD is 405, because the request sets a cookie. If the login cannot begin, the response redirects to the console, which shows the reason.',
  query: {
    workspaceId:
      'The id of the workspace of the session. By default, and if the person is no active member there, the workspace of the last sign-in. If there is none, the first by name.',
  },
  success: {
    description: 'The URL of the identity provider, and the cookie of the login.',
    headers: redirectHeaders,
  },
});
