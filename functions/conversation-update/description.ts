import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Changes the members that are sent and no others. `{}` changes nothing.',
    'A member takes a conversation over by becoming its assignee: from then on no agent replies in it, not even a reply that is being made. `null` gives it back.',
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  query: {},
  headers: { 'If-Match': 'One or several tags of versions, or `*`: the change is made only to one of them.' },
  body: {
    description: 'What is to change.',
    members: {
      status: { description: 'What is to become of the conversation.' },
      language: { description: 'One of the languages of the workspace, or null.' },
      assignee: { description: 'An enabled agent, an active member of the team, or null.' },
    },
  },
  success: {
    description: 'The conversation as it is now.',
    headers: { etag: { description: 'The new version of the conversation.' } },
  },
  refusals: ['validation_failed', 'not_found', 'precondition_failed'],
  examples: [
    {
      name: 'resolve',
      summary: 'A question that is answered',
      key: 'desk',
      path: { id: 'conv_huda_order' },
      body: { status: 'resolved' },
    },
  ],
});
