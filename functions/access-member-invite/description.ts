import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Lets the identity provider invite the e-mail address of a member: with the user pool of the stack a mail with a first password, else a mail that says where to sign in. Repeated, it invites again.',
    'From then on the next person who signs in with the address is the member; the sessions that the member has end. One needs every permission that the member has: 403 names the first one that is missing. Creating a member sends nothing.',
    'A member who is not active, or has no valid e-mail address, is 409.',
  ].join('\n\n'),
  path: { id: 'The id of the member.' },
  query: {},
  success: { description: 'The invitation is sent.' },
  refusals: ['not_found', 'conflict'],
  examples: [{ name: 'again', summary: 'A member who is invited', key: 'admin', path: { id: 'mem_omar' } }],
});
