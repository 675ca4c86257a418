import { describeEndpoint } from '#lib/openapi/description.ts';
import { schemaRef } from '#lib/openapi/json-schema.ts';
import { endpoint } from './endpoint.ts';

const reply = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  description:
    'Events of one `data:` line with a JSON object (`ReplyEvent`) and a blank line each. After 10 seconds of silence comes the comment `: ping`.',
  'x-event-schema': schemaRef('ReplyEvent'),
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Answers a message of a conversation: `lastMessageId`, or else the newest message of a customer or member. The reply is streamed while it is made, and stored as a message of the conversation before `done` is sent.',
    'What only the data of the workspace can tell, such as a conversation that does not exist, is status 200 and one `error` event.',
    'There is one reply per conversation, agent and message: a repeated or parallel call gets the same reply with the same `messageId`. A caller that leaves does not stop the reply; call again to get it.',
    '`senderId` is needed unless `lastMessageId` is given. `channelId` is needed only where neither the conversation nor the message has a channel. `customerId` or `customer` (matched by `externalId`, then `email`, then `phone`) and `channelIdentifier` (the host name of a website) are attached to a conversation that has none.',
  ].join('\n\n'),
  path: {},
  query: {},
  body: { description: 'Which agent is to answer what. Null and blank count as absent.' },
  success: {
    description: 'The reply, event by event.',
    headers: { 'cache-control': { description: 'Always `no-cache, no-transform`.' } },
    content: { 'text/event-stream': reply },
  },
  refusals: ['validation_failed'],
  examples: [
    {
      name: 'price',
      summary: 'The answer to a question about a price',
      key: 'desk',
      body: { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' },
    },
  ],
});
