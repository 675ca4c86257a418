import { conversationAnswer, conversationPath } from '#lib/conversations/conversation-answer.ts';
import { type Opened, openConversation } from '#lib/conversations/open-conversation.ts';
import { api } from '#lib/http/api.ts';
import { asRecorded, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, body, logDetails } = request;
    const scope = { sharedBy: 'workspace', operation: `POST ${endpoint.path}` } as const;
    const { status, conversation } = await runIdempotent<Opened>(request, scope, {
      request: () => body,
      execute: ({ claimWithAnswer }) =>
        openConversation(table, request, body, (opened) => ({ idempotency: claimWithAnswer(opened) })),
      replay: asRecorded,
    });
    Object.assign(logDetails, { conversationId: conversation.id });
    const { headers, ...answer } = conversationAnswer(conversation);
    const location = { location: conversationPath(conversation.id) };
    return { ...answer, status, headers: { ...headers, ...(status === 201 && location) } };
  },
});
