import { conversationPath } from '#lib/conversations/conversation-answer.ts';
import { messageForCaller } from '#lib/conversations/message-answer.ts';
import { type SentMessage, sendMessage } from '#lib/conversations/send-message.ts';
import { requireOwnConversation, requireOwnMessage } from '#lib/conversations/visitor-limits.ts';
import { api } from '#lib/http/api.ts';
import { asRecorded, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, params, body, logDetails } = request;
    requireOwnConversation(principal, params.id);
    requireOwnMessage(principal, body);
    const scope = { sharedBy: 'workspace', operation: `POST ${conversationPath(params.id)}/messages` } as const;
    const message = await runIdempotent<SentMessage>(request, scope, {
      request: () => body,
      execute: ({ claimWithAnswer }) => sendMessage(table, principal, params.id, body, claimWithAnswer),
      // What a visitor may see of it is chosen below, for each caller.
      replay: asRecorded,
    });
    Object.assign(logDetails, { conversationId: message.conversationId, messageId: message.id });
    return { body: messageForCaller(principal, message) };
  },
  warm: ({ table, principal, params }) => new Conversations(table, principal).find(params.id),
});
