import * as z from 'zod/mini';
import { Member } from '#lib/domain/access/member.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { listParameters, recordPage } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/members',
  summary: 'List the members of the workspace.',
  ...forManagement,
  permissions: ['access:member:read'],
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(Member),
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Lists members by name.',
  query: listTexts,
  success: { description: 'A page of members.' },
  examples: [{ name: 'search', summary: 'Search members by name', key: 'admin', query: { q: 'lina' } }],
});
