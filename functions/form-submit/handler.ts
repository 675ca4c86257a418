import { findOpenForm } from '#lib/forms/find-form.ts';
import { submitForm } from '#lib/forms/submit-form.ts';
import { api } from '#lib/http/api.ts';
import { idempotencyKeyFaults } from '#lib/http/idempotency.ts';
import { FormResponses } from '#lib/table/form-responses.ts';
import { Forms } from '#lib/table/forms.ts';
import { endpoint, successMessage } from './endpoint.ts';

export const handler = api(
  endpoint,
  async ({ principal, table, params, body, headers }) => {
    const responseId = await submitForm(table, principal, {
      form: await findOpenForm(table, principal, params.slug),
      body,
      idempotencyKey: headers['idempotency-key'],
      acceptLanguage: headers['accept-language'],
    });
    return { body: { message: successMessage }, headers: { 'x-form-response-id': responseId } };
  },
  ({ table, scope, params, headers }) => {
    const forms = new Forms(table, scope);
    forms.prefetch(params.slug);
    const [formId, idempotencyKey] = [forms.likelyId(params.slug), headers['idempotency-key']];
    if (formId && idempotencyKey) new FormResponses(table, scope).prefetchSubmission(formId, idempotencyKey);
  },
  async ({ principal, table, params, headers }) => {
    await findOpenForm(table, principal, params.slug);
    return idempotencyKeyFaults(headers['idempotency-key']);
  },
);
