import * as z from 'zod/mini';
import { SubmittedAnswers } from '#lib/domain/forms/form-answers.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** A frozen text of the specification. */
export const successMessage = 'Submited form successfully.' as const;

/**
 * lib/spec/interface.md section 4.9. Nothing bounds the submits of one form (lib/forms/README.md says why); the rate limit
 * of keys counts them.
 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/public/forms/{slug}',
  summary: 'Submit a response to a form.',
  keyIn: ['query'],
  permissions: ['forms:response:create'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey(), 'Accept-Language': headerText() }),
  body: SubmittedAnswers,
  response: z.object({ message: z.literal(successMessage) }),
  // The first reference to a directly uploaded file stores its record.
  uses: ['table:read', 'table:transact', 'table:uploads', 'files:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
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
  body: {
    description:
      'The answers, by the `ref` of their field. A name that begins with `_` is metadata with any JSON. No text contains NUL (U+0000).',
  },
  success: {
    description: 'The response was stored.',
    headers: { 'x-form-response-id': { description: 'The id of the stored response.' } },
  },
  refusals: ['form_not_found'],
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
