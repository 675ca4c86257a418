import { listConversations } from '#lib/conversations/conversation-list.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, query }) => ({ body: await listConversations(table, principal, query) }),
});
