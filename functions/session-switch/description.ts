import { describeEndpoint } from '#lib/openapi/description.ts';
import { sessionCookieHeader } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
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
