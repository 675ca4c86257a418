import * as z from 'zod/mini';
import { SubmittedAnswers } from '#lib/domain/forms/form-answers.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';

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
