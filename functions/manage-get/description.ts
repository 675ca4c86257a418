import { describeEndpoint } from '#lib/openapi/description.ts';
import { managePath } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns the stored record, in the form of a workspace document. The `ETag` is its stored version, also for `If-Match`.',
  path: managePath,
  success: { description: 'The record.' },
  refusals: ['not_found'],
  examples: [
    { name: 'customer', summary: 'One customer', key: 'admin', path: { kind: 'customers', id: 'cus_huda' } },
    { name: 'category', summary: 'One category', key: 'admin', path: { kind: 'menu-categories', id: 'cat_drinks' } },
  ],
});
