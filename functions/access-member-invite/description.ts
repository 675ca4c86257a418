import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    "Invites a member by e-mail. With the stack's user pool, the mail contains a first password. Otherwise it contains the URL of the sign-in page. Each request sends another invitation.",
    "The member's sessions end. The next person who signs in with the e-mail address becomes the member. The caller needs every permission of the member: 403 names the first missing one. Creating a member sends no mail.",
    'The response is 409 for an inactive member, or one without a valid e-mail address.',
  ].join('\n\n'),
  path: { id: 'The id of the member.' },
  success: { description: 'The invitation was sent.' },
  refusals: ['not_found', 'conflict'],
  examples: [{ name: 'again', summary: 'Invite a member', key: 'admin', path: { id: 'mem_omar' } }],
});
