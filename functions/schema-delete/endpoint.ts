import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { cmsModel } from '#lib/kinds/schema.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Delete a CMS database.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('delete', [cmsModel]),
  headers: z.object({ 'If-Match': headerText() }),
  response: z.unknown(),
  status: 204,
  uses: writesRecords,
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({ like: 'delete' });
