import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { kindsWith } from '#lib/manage/kinds.ts';
import { listParameters, recordPage } from '#lib/manage/list-parameters.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}',
  summary: 'List stored records.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('list'),
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(z.looseObject({})),
  uses: ['table:read', 'files:link'],
});
