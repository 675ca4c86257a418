import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    "The server of a website calls this for a visitor of its pages, and hands the answer to the browser. The token opens one conversation for an hour: its messages, read marks, files and the replies of the channel's agent. It is sent as `Authorization: Bearer <token>`, from pages of the website alone.",
    'Channel, customer and open conversation are found or made. A customer is found by `externalId` only: take it from your own sign-in, never from the page. Without one, a new anonymous customer is made.',
    '`{ "renew": token }` alone continues a conversation: with the API key that made the token, until 30 days after its end. The answer has a new token for the same conversation. Any other token is 404.',
    'A token ends with its key. Two equal calls make two tokens: an `Idempotency-Key` has no effect.',
  ].join('\n\n'),
  path: {},
  query: {},
  body: {
    description: 'The website and its visitor, or a token to renew. Null counts as absent.',
    members: {
      channelIdentifier: { description: 'The host name of the website. Needed without `renew`.' },
      customer: { description: 'What the website knows of the visitor.' },
      language: { description: 'One of the languages of the workspace. It counts for a new conversation only.' },
      renew: { description: 'A token that this key has made.' },
    },
  },
  success: {
    description: 'The session.',
    headers: { 'cache-control': { description: 'Always `no-store`.' } },
  },
  refusals: ['validation_failed', 'not_found'],
  examples: [],
});
