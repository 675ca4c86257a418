import * as z from 'zod/mini';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { listParameters, recordPage, routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { listTexts, managePath } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}',
  summary: 'List stored records.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('list'),
  isRoutedByPattern: true,
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(z.looseObject({})),
  uses: ['table:read', 'files:link'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Lists stored records: products, categories, responses, notifications, attachments and webhooks newest first, others by name. Follow `next` with the same query until it is `null`. A record that exists all the time occurs exactly once.',
  path: managePath,
  query: listTexts,
  success: { description: 'A page of records, and the cursor of the next page.' },
  examples: [
    {
      name: 'drinks',
      summary: 'The newest drink',
      key: 'admin',
      path: { kind: 'menu-products' },
      query: { categoryId: 'cat_drinks', limit: '1' },
    },
    {
      name: 'chefs',
      summary: 'The newest entry of a database',
      key: 'admin',
      path: { kind: 'cms-entries' },
      query: { modelId: 'chefs', limit: '1' },
    },
  ],
});
