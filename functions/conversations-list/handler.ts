import { listConversations } from '#lib/conversations/conversation-list.ts';
import { readApi } from '#lib/http/read-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ table, principal, query }) => ({ body: await listConversations(table, principal, query) }),
});
