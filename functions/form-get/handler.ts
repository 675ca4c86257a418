import { inFormOrder } from '#lib/domain/form.ts';
import { findForm } from '#lib/forms/find-form.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, params }) => {
    const form = await findForm(table, principal, params.slug);
    return { body: { ...form, fields: inFormOrder(form.fields) } };
  },
});
