import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forSessions } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/profile',
  summary: 'Get the profile of the signed-in member and renew the session.',
  ...forSessions,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ProfileView,
  uses: ['table:read', 'table:sessions'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Returns the signed-in member, the workspace, and the other workspaces of the same person. It accepts only a session, and is the only endpoint that renews one. A session ends 12 hours after its last renewal, and at most 7 days after the sign-in. A page that stays open should request it every 15 minutes.',
  success: { description: 'The profile.' },
  examples: [{ name: 'profile', summary: 'A member', session: 'lina@saffron.example' }],
});
