import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { managePath, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Delete a record.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('delete'),
  isRoutedByPattern: true,
  headers: z.object({ 'If-Match': headerText() }),
  response: z.looseObject({}),
  status: 204,
  uses: ['table:read', 'table:update', 'table:put', 'table:transact', 'table:remove'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
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
