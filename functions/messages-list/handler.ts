import { messagePage } from '#lib/conversations/message-page.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ table, principal, params, query, headers, logDetails }) => {
    Object.assign(logDetails, { conversationId: params.id });
    return messagePage(table, principal, params.id, query, headers['If-None-Match']);
  },
});
