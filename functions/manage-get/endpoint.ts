import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { managePath } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Get a stored record.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('get'),
  isRoutedByPattern: true,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({}),
  uses: ['table:read', 'files:link'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
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
