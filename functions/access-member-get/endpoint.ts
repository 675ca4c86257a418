import * as z from 'zod/mini';
import { Member } from '#lib/domain/access/member.ts';
import { defineEndpoint, forManagement } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/members/{id}',
  summary: 'Get a member.',
  ...forManagement,
  permissions: ['access:member:read'],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: Member,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Returns a stored member.',
  path: { id: 'The id of the member.' },
  success: { description: 'The member.', headers: etagHeader },
  refusals: ['not_found'],
  examples: [{ name: 'omar', summary: 'One member', key: 'admin', path: { id: 'mem_omar' } }],
});
