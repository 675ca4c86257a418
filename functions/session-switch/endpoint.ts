import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forPeople } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { sessionCookieHeader } from '#lib/openapi/session-texts.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/session',
  summary: 'Switch the session to another workspace of the same person.',
  ...forPeople,
  body: z.strictObject({ workspaceId: z.string() }),
  response: ProfileView,
  uses: ['table:read', 'table:sessions', 'table:sign-in'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Ends this session and begins one in another workspace of the same person. The limit of 7 days still counts from the sign-in. A workspace without an active member of this person is 404, whether or not it exists; the session then stays.',
  body: {
    description: 'The workspace.',
    properties: { workspaceId: { description: 'One of the ids in `workspaces` of the profile.' } },
  },
  success: { description: 'The profile in that workspace.', headers: sessionCookieHeader },
  refusals: ['not_found'],
  examples: [
    {
      name: 'switch',
      summary: 'Switch to another workspace',
      session: 'lina@saffron.example',
      body: { workspaceId: 'ws_saffron' },
    },
  ],
});
