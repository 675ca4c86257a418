import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Answers the signed-in member, the workspace, and the other workspaces of the same person. It takes a session only. It alone keeps a session alive: a session ends 12 hours after it was last renewed here, at most 7 days after the sign-in. A program that stays open calls it every 15 minutes.',
  path: {},
  query: {},
  headers: { 'If-None-Match': 'The `ETag` of the profile from an earlier answer.' },
  success: { description: 'The profile.' },
  refusals: [],
  examples: [{ name: 'profile', summary: 'A member', session: 'lina@saffron.example' }],
});
