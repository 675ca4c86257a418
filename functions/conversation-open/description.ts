import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

const etag = {
  description: 'The version of the conversation, for `If-Match`. Messages and read marks do not move it.',
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Answers the main conversation of a customer on a channel that is not resolved (200), or makes it (201). Of several open ones the newest is answered, as it is. Two calls at once make one conversation.',
    "With `parentId` the answer is always a new sub-conversation. `kind` is needed then, channel and customer are those of the parent unless named, and another customer than the parent's is 403.",
    'The customer is the one of `customerId`, or else found by `customer`: by `externalId`, or else by a well-formed `email` or a `phone` of 7 digits or more. What is not found is made.',
  ].join('\n\n'),
  path: {},
  query: {},
  headers: {
    'Idempotency-Key': 'A text of your own that names this call; a repetition within 24 hours gets the first answer.',
  },
  body: {
    description: 'Who writes where. Null counts as absent, and so does a blank id.',
    members: {
      channelId: { description: 'The id of the channel. Needed without `channelIdentifier` and `parentId`.' },
      channelIdentifier: {
        description: 'The host name of a website, whose channel is found or made. It has no effect beside `channelId`.',
      },
      customerId: { description: 'The id of the customer. Needed without `customer` and `parentId`.' },
      customer: { description: 'What identifies the customer. It has no effect beside `customerId`.' },
      language: { description: 'One of the languages of the workspace. It counts for a new conversation only.' },
      kind: { description: 'What a sub-conversation is about; without `parentId` it is `main` or absent.' },
      parentId: { description: 'The id of the main conversation that a sub-conversation belongs to.' },
    },
  },
  success: {
    description: 'The conversation is new.',
    headers: { etag, location: { description: 'The path of the conversation.' } },
  },
  more: { 200: { description: 'The conversation was there.', headers: { etag } } },
  refusals: ['validation_failed', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'open',
      summary: 'The open conversation of a customer',
      key: 'desk',
      body: { channelId: 'ch_site', customerId: 'cus_huda' },
    },
  ],
});
