import * as z from 'zod/mini';
import { Workspace } from '#lib/domain/workspace.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/workspace',
  summary: 'Get the settings of the workspace.',
  ...forManagement,
  permissions: ['workspace:settings:read'],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: Workspace,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Returns the workspace of the key: its name, languages, currency and time zone.',
  success: { description: 'The workspace.' },
  examples: [{ name: 'settings', summary: 'The settings', key: 'admin' }],
});
