import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Forms',
  text: [
    "Stores a response, a notification in the workspace and the form's mails. They are stored before the service responds. If a mail cannot be sent immediately, it is retried.",
    'Each answer is checked against the type and the validations of its field. A 400 lists all errors, with the `ref` of the field as `path`, and stores nothing.',
    'Send an `Idempotency-Key` to retry a submit safely. A retry within 24 hours, with the same key and body, gets the same response and stores nothing more.',
  ].join('\n\n'),
  path: { slug: 'The slug of the form.' },
  headers: {
    'Idempotency-Key': 'A unique string for this submit. A refused submit does not use it up.',
    'Accept-Language': "The language of a field's own error message.",
  },
  body: { description: 'The answers, by the `ref` of their field.' },
  success: {
    description: 'The response was stored.',
    headers: { 'x-form-response-id': { description: 'The id of the stored response.' } },
  },
  refusals: ['validation_failed', 'form_not_found', 'conflict', 'idempotency_key_reused'],
  examples: [
    {
      name: 'contact',
      summary: 'Submit a message from a visitor',
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
