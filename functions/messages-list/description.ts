import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Lists messages in the order in which they were accepted, oldest first: the newest page, or the messages after `after` or before `before`. No page skips or repeats a message, even if others are written meanwhile.',
    'To wait for news, send `after` with the id of the newest message that you have, and the `ETag` of the answer before as `If-None-Match`. Without news the answer is 304, at the least cost. `status` and `assigneeType` are those of the conversation, and a change of them is news, too.',
    "With a visitor's token a message has no `channelId`, `onBehalfOf`, `model` and `citations`.",
    'A file that was deleted is left out of `attachments`; its deletion alone is no news. A page of very long messages may have fewer of them than `limit`.',
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  query: {
    after: 'The id of a message: the oldest messages after it.',
    before: 'The id of a message: the newest messages before it. Not together with `after`.',
    limit: 'How many messages a page has at most.',
  },
  headers: { 'If-None-Match': 'The `ETag` of an answer to the same call.' },
  success: { description: 'A page of messages. `hasMore` means newer ones with `after`, else older ones.' },
  refusals: ['not_found'],
  examples: [
    {
      name: 'newest',
      summary: 'The newest two messages',
      key: 'desk',
      path: { id: 'conv_nakheel' },
      query: { limit: '2' },
    },
  ],
});
