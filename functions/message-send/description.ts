import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Adds a message behind all others of the conversation. Its `id` sorts after all ids that the service has made there.',
    "Without `senderId` it is a message of the conversation's customer, or of the member that the key belongs to; any other sender is 403. A conversation without a customer gets the stored customer that `senderId` names.",
    "A visitor's token sends messages of its customer only, with files that were uploaded with a token of the conversation.",
    "A customer's message opens a conversation that is resolved or snoozed. A member's message changes neither status nor assignee: take the conversation over with PATCH first.",
  ].join('\n\n'),
  path: { id: 'The id of the conversation.' },
  query: {},
  headers: {
    'Idempotency-Key':
      'A text of your own that names this message; a repetition within 24 hours gets the first answer.',
  },
  body: {
    description: 'The message.',
    members: {
      text: { description: '1 to 20,000 characters. It may be absent or blank beside attachments.' },
      attachments: { description: 'Ids of at most 10 uploaded files of the workspace.' },
      senderType: { description: 'Whose message it is.' },
      senderId: { description: 'The id of the customer or the member.' },
    },
  },
  success: { description: 'The message as it is stored, with its files.' },
  refusals: ['not_found', 'validation_failed', 'conflict', 'idempotency_key_reused'],
  examples: [],
});
