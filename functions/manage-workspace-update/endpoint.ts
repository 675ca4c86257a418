import * as z from 'zod/mini';
import { Workspace } from '#lib/domain/workspace.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/workspace',
  summary: 'Update the settings of the workspace (JSON Merge Patch).',
  ...forManagement,
  permissions: ['workspace:settings:read', 'workspace:settings:update'],
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: Workspace,
  uses: ['table:read', 'table:update', 'table:transact', 'table:workspace'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Changes only the properties in the body (RFC 7396). A list such as `languages` is replaced as a whole. Texts in a removed language stay stored, but are not shown. New languages and a new default language apply from the next request on.',
  headers: writeHeaders,
  body: { description: 'The properties to change.' },
  success: { description: 'The changed workspace.', headers: etagHeader },
  refusals: ['validation_failed', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [{ name: 'name', summary: 'Another name', key: 'admin', body: { name: 'Saffron Kitchen and Bakery' } }],
});
