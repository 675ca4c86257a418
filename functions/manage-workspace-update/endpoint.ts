import * as z from 'zod/mini';
import { Workspace } from '#lib/domain/workspace.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/workspace',
  summary: 'Update the settings of the workspace (JSON Merge Patch).',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['workspace:settings:read', 'workspace:settings:update'],
  keyMember: 'counts',
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: Workspace,
  uses: ['table:read', 'table:update', 'table:transact', 'table:workspace'],
});
