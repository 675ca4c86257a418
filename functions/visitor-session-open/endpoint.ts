import { OpenVisitorSession, VisitorSession } from '#lib/conversations/visitor-schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 4 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/visitor-sessions',
  summary: 'Open or renew the session of a website visitor.',
  keyIn: ['bearer', 'x-api-key'],
  permissions: ['messaging:conversation:engage'],
  body: OpenVisitorSession,
  response: VisitorSession,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:remove', 'table:tokens'],
});
