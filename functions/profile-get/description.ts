import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Returns the signed-in member, the workspace, and the other workspaces of the same person. It accepts only a session, and is the only endpoint that renews one. A session ends 12 hours after its last renewal, and at most 7 days after the sign-in. A page that stays open should request it every 15 minutes.',
  success: { description: 'The profile.' },
  examples: [{ name: 'profile', summary: 'A member', session: 'lina@saffron.example' }],
});
