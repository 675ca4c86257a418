import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Marks a conversation as read up to a message. The mark belongs to the member of the key, or to the visitor. It only moves forward. The response contains its current position.',
  path: { id: 'The id of the conversation.' },
  body: {
    description: 'The last message that was read.',
    properties: { messageId: { description: 'The id of a message of the conversation.' } },
  },
  success: { description: 'The current mark.' },
  refusals: ['not_found', 'validation_failed'],
  examples: [
    {
      name: 'read',
      summary: 'Mark a conversation as read',
      key: 'desk',
      path: { id: 'conv_huda' },
      body: { messageId: 'msg_01' },
    },
  ],
});
