import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Returns a conversation: its channel, customer, status and assignee.',
  path: { id: 'The id of the conversation.' },
  success: {
    description: 'The conversation.',
    headers: {
      etag: {
        description: 'The version of the conversation, for `If-Match`. Messages and read marks do not change it.',
      },
    },
  },
  refusals: ['not_found'],
  examples: [{ name: 'conversation', summary: 'A conversation', key: 'desk', path: { id: 'conv_nakheel' } }],
});
