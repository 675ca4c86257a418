import { describeEndpoint } from '#lib/openapi/description.ts';
import { schemaRef } from '#lib/openapi/json-schema.ts';
import { endpoint } from './endpoint.ts';

const reply = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  description:
    'Events of one `data:` line with a JSON object (`ReplyEvent`) and a blank line each. After 10 seconds of silence comes the comment `: ping`.',
  contentSchema: schemaRef('ReplyEvent'),
};

const neededId = { minLength: 1, pattern: '\\S' };

const members = {
  agentId: { description: 'The id of the agent that answers.', ...neededId },
  conversationId: { description: 'The id of the conversation, a main one or a sub-conversation.', ...neededId },
  channelId: {
    description:
      'The id of the channel that the reply goes to. It may be absent where the conversation, or the message, has one.',
  },
  lastMessageId: {
    description: 'The id of the message to answer. Without it the newest message of a customer or member is answered.',
  },
  senderId: { description: 'Whom the reply is for. Needed unless `lastMessageId` is given, whose sender it is then.' },
  customerId: { description: 'The id of the customer that the conversation is with. With it `customer` is ignored.' },
  customer: {
    description:
      'The customer that the conversation is with. It counts only for a conversation that has no customer: an `externalId` finds or makes one, else a well-formed `email` or a `phone` of 7 digits or more. Each text has at most 200 characters.',
  },
  channelIdentifier: {
    description:
      'The host name of a website, such as `menu.example.com`; scheme, port, path and a leading `www.` are dropped. Its channel is found or made, and used when there is no `channelId`.',
  },
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Answers a message of a conversation: `lastMessageId`, or else the newest message of a customer or member. The reply is streamed while it is made, and stored as a message of the conversation before `done` is sent.',
    'What only the data of the workspace can tell, such as a conversation that does not exist, is status 200 and one `error` event.',
    'There is one reply per conversation, agent and message: a repeated or parallel call gets the same reply with the same `messageId`. A caller that leaves does not stop the reply; call again to get it.',
    'The replies of a workspace may be bounded by tokens a day (UTC). Once they are used up, a message that has no reply yet gets the `error` event `This workspace has used up its AI replies for today.`',
    '`senderId` is needed unless `lastMessageId` is given. `channelId` is needed only where neither the conversation nor the message has a channel. `customerId` or `customer` (matched by `externalId`, then `email`, then `phone`) is attached to a conversation that has no customer, the channel of `channelIdentifier` (the host name of a website) to any.',
    "A visitor's token asks for replies of its own agent in its own conversation, with its own `customerId` as `senderId`. Another conversation is 404, anything else 403.",
    'Take `conversationId` from your own session of the visitor, never from the browser: the id decides what the model is told. When the conversation has a customer and the request names another one, the answer is the `error` event `Conversation not found.` Show a reply as text, never as HTML.',
  ].join('\n\n'),
  path: {},
  query: {},
  body: { description: 'Which agent is to answer what. Null counts as absent, and so does a blank id.', members },
  success: {
    description: 'The reply, event by event.',
    headers: {
      'cache-control': { description: 'Always `no-cache, no-transform`.' },
      'x-accel-buffering': { description: 'Always `no`: a proxy passes each event on at once.' },
    },
    content: { 'text/event-stream': reply },
  },
  refusals: ['validation_failed', 'not_found'],
  examples: [
    {
      name: 'price',
      summary: 'The answer to a question about a price',
      key: 'desk',
      body: { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' },
    },
  ],
});
