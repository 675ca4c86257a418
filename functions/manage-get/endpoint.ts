import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { kindsWith } from '#lib/manage/kinds.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Get a stored record.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('get'),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({}),
  uses: ['table:read', 'files:link'],
});
