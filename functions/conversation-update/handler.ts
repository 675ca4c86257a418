import { changeConversation } from '#lib/conversations/change-conversation.ts';
import { conversationAnswer } from '#lib/conversations/conversation-answer.ts';
import { api } from '#lib/http/api.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, params: { id }, body: change, headers, requestId, logDetails }) => {
    const conversation = await changeConversation(table, principal, {
      id,
      change,
      requestId,
      ifMatch: headers['If-Match'],
    });
    Object.assign(logDetails, { conversationId: conversation.id });
    return conversationAnswer(conversation);
  },
  warm: ({ table, principal, params }) => new Conversations(table, principal).find(params.id),
});
