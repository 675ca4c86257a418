import { findOpenForm } from '#lib/forms/find-form.ts';
import { submitForm, warmOutcome } from '#lib/forms/submit-form.ts';
import { api } from '#lib/http/api.ts';
import { endpoint, successMessage } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, params, body, headers, logDetails }) => {
    const { formId, responseId } = await submitForm(table, principal, {
      slug: params.slug.normalize(),
      body,
      idempotencyKey: headers['Idempotency-Key'],
      acceptLanguage: headers['Accept-Language'],
    });
    Object.assign(logDetails, { formId, responseId });
    return { body: { message: successMessage }, headers: { 'x-form-response-id': responseId } };
  },
  // The one endpoint whose 404 comes before the checks of the body (lib/spec/decisions.md section 1).
  precheck: async ({ principal, table, params }) => {
    await findOpenForm(table, principal, params.slug);
  },
  warm: ({ principal, table, params, headers }) =>
    Promise.all([
      findOpenForm(table, principal, params.slug),
      warmOutcome(table, principal, params.slug.normalize(), headers['Idempotency-Key']),
    ]),
});
