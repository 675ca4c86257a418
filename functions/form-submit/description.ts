import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Forms',
  text: [
    'Stores a response together with a notification in the workspace and the mails that the form asks for; the answer comes when all of it is durable. Mail that cannot be sent at once is sent later.',
    'Each answer is held against the type and the validations of its field. Everything that is wrong is answered at once, the `path` of each being the `ref` of the field; nothing is stored then.',
    'Send an `Idempotency-Key` to repeat a submit safely: the same key and body within 24 hours answer the same and store once.',
  ].join('\n\n'),
  path: { slug: 'The slug of the form.' },
  query: {},
  headers: {
    'Idempotency-Key': 'A text of your own that names this submit; a refused submit does not use it up.',
    'Accept-Language': 'The language in which a refusal shows the own message of a field.',
  },
  body: { description: 'The answers by the `ref` of their field.' },
  success: {
    description: 'The response is stored.',
    headers: { 'x-form-response-id': { description: 'The id of the stored response.' } },
  },
  refusals: ['validation_failed', 'form_not_found', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'contact',
      summary: 'A message from a visitor',
      key: 'site',
      path: { slug: 'contact' },
      body: {
        name: 'Huda',
        email: 'huda@example.com',
        subject: 'visit',
        message: 'Is there a table for two tonight?',
        consent: true,
      },
    },
  ],
});
