import { findOpenForm } from '#lib/forms/find-form.ts';
import { submitForm, warmSubmit } from '#lib/forms/submit-form.ts';
import { api } from '#lib/http/api.ts';
import { endpoint, successMessage } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { formId, responseId } = await submitForm({ ...request, slug: slugOf(request) });
    Object.assign(request.logDetails, { formId, responseId });
    return { body: { message: successMessage }, headers: { 'x-form-response-id': responseId } };
  },
  // The one endpoint whose 404 comes before the checks of the body (lib/spec/decisions.md section 1).
  precheck: async ({ principal, table, params }) => {
    await findOpenForm(table, principal, params.slug);
  },
  warm: (request) =>
    Promise.all([
      findOpenForm(request.table, request.principal, request.params.slug),
      warmSubmit({ ...request, slug: slugOf(request) }),
    ]),
});

const slugOf = ({ params }: { readonly params: { readonly slug: string } }): string => params.slug.normalize();
