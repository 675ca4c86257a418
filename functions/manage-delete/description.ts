import { describeEndpoint } from '#lib/openapi/description.ts';
import { managePath, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Deletes the record for good. A category with products, a form with responses, and a channel or customer with conversations are kept: 409 `in_use`, and `errors` names up to 20 of what refers to them.',
  path: managePath,
  query: {},
  headers: { 'If-Match': writeHeaders['If-Match'] },
  success: { description: 'The record is gone.' },
  refusals: ['not_found', 'precondition_failed', 'in_use'],
  examples: [
    {
      name: 'customer',
      summary: 'A customer without conversations',
      key: 'admin',
      path: { kind: 'customers', id: 'cus_noor' },
    },
  ],
});
