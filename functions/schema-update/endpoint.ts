import * as z from 'zod/mini';
import { Workspace } from '#lib/domain/workspace.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { cmsModel } from '#lib/kinds/schema.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { type DescriptionsOf, wordsOfKinds } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';

const databases = routesOfKinds('update', [cmsModel]);

/** lib/spec/additions.md section 2; apart from other kinds, because a change of a database takes longer. */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/{kind}/{id}',
  summary: 'Update a CMS database or the workspace.',
  ...forManagement,
  permissions: [],
  routes: {
    ...databases,
    workspace: {
      path: '/api/v1/manage/workspace',
      summary: 'Update the settings of the workspace (JSON Merge Patch).',
      operation: 'manage-workspace-update',
      permissions: ['workspace:settings:read', 'workspace:settings:update'],
      response: Workspace,
    },
  },
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: [...writesRecords, 'table:workspace'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  ...wordsOfKinds(databases, { like: 'update' }),
  workspace: {
    tag: 'Management',
    text: 'Changes only the properties in the body (RFC 7396). A list such as `languages` is replaced as a whole. Texts in a removed language stay stored, but are not shown. New languages and a new default language apply from the next request on.',
    body: { description: 'The properties to change.' },
    success: { description: 'The changed workspace.', headers: etagHeader },
    examples: [{ name: 'name', summary: 'Another name', key: 'admin', body: { name: 'Saffron Kitchen and Bakery' } }],
  },
});
