import { openVisitorSession } from '#lib/conversations/visitor-session.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, body, logDetails }) => {
    const session = await openVisitorSession(table, principal, body);
    Object.assign(logDetails, { conversationId: session.conversationId });
    return { body: session, headers: { 'cache-control': 'no-store' } };
  },
});
