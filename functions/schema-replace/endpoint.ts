import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { cmsModel } from '#lib/kinds/schema.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PUT'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Create or replace a CMS database.',
  ...forManagement,
  permissions: [],
  routes: routesOfKinds('replace', [cmsModel]),
  headers: z.object({
    'If-Match': headerText(),
    'If-None-Match': headerText(),
    'Idempotency-Key': idempotencyKey(),
  }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: writesRecords,
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({ like: 'replace' });
