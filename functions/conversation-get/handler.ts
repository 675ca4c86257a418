import { conversationAnswer } from '#lib/conversations/conversation-answer.ts';
import { conversationNotFound } from '#lib/conversations/refusals.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { readApi } from '#lib/http/read-api.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ table, principal, params, headers, logDetails }) => {
    const conversation = await new Conversations(table, principal).find(params.id);
    if (!conversation) throw conversationNotFound();
    Object.assign(logDetails, { conversationId: conversation.id });
    const answer = conversationAnswer(conversation);
    const { etag } = answer.headers;
    return ifNoneMatchHolds(headers['If-None-Match'], etag) ? { unchanged: etag } : answer;
  },
});
