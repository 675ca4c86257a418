import { messagePage } from '#lib/conversations/message-page.ts';
import { readApi } from '#lib/http/read-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: ({ table, principal, params, query, headers, logDetails }) => {
    Object.assign(logDetails, { conversationId: params.id });
    return messagePage(table, principal, params.id, query, headers['If-None-Match']);
  },
});
