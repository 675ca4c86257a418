import { defineEndpoint } from '#lib/http/endpoint.ts';
import { ChangeResults, Changes } from '#lib/manage/change-list.ts';

/** lib/spec/additions.md section 2; every change needs the permissions of its own kind. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/changes',
  summary: 'Apply up to 100 record changes independently.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  body: Changes,
  response: ChangeResults,
  uses: ['table:read', 'table:update', 'table:rewrite', 'table:transact', 'table:remove'],
  lambda: { timeoutSeconds: 27 },
});
