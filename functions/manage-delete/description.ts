import { describeEndpoint } from '#lib/openapi/description.ts';
import { managePath, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Deletes the record permanently. A category with products, a form with responses, and a channel or customer with conversations cannot be deleted: 409 `in_use`. `errors` then names up to 20 records that refer to it.',
  path: managePath,
  headers: { 'If-Match': writeHeaders['If-Match'] },
  success: { description: 'The record was deleted.' },
  refusals: ['not_found', 'precondition_failed', 'in_use'],
  examples: [
    {
      name: 'customer',
      summary: 'Delete a customer without conversations',
      key: 'admin',
      path: { kind: 'customers', id: 'cus_noor' },
    },
  ],
});
