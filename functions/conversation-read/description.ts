import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Marks a conversation as read up to a message, for the member that the key belongs to, or for the customer of a visitor. The mark moves forward only; the answer says where it is now.',
  path: { id: 'The id of the conversation.' },
  query: {},
  body: {
    description: 'How far the member has read.',
    members: { messageId: { description: 'The id of a message of the conversation.' } },
  },
  success: { description: 'The mark as it is now.' },
  refusals: ['not_found', 'validation_failed'],
  examples: [
    {
      name: 'read',
      summary: 'A conversation that was read',
      key: 'desk',
      path: { id: 'conv_huda' },
      body: { messageId: 'msg_01' },
    },
  ],
});
