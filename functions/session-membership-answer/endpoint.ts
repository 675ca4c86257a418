import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forPeople } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 9, "Membership needs consent" */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/session/memberships/{workspaceId}',
  summary: 'Accept or decline a membership.',
  ...forPeople,
  body: z.strictObject({ accept: z.boolean() }),
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Accepts a pending membership of the signed-in person, or declines and removes it. The answer is an audit event of the workspace. To accept again changes nothing. To decline an accepted membership is 409. A workspace without an active membership of this person is 404, whether or not it exists.',
  path: { workspaceId: 'The id of the workspace.' },
  body: {
    description: 'The decision.',
    properties: { accept: { description: '`true` accepts, `false` declines.' } },
  },
  success: { description: 'The decision is stored.' },
  refusals: ['conflict'],
  examples: [
    {
      name: 'accept',
      summary: 'Accept a membership',
      session: 'lina@saffron.example',
      path: { workspaceId: 'ws_saffron' },
      body: { accept: true },
    },
  ],
});
