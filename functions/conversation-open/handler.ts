import { conversationAnswer, conversationPath } from '#lib/conversations/conversation-answer.ts';
import { type Opened, openConversation } from '#lib/conversations/open-conversation.ts';
import { api } from '#lib/http/api.ts';
import { writeIdempotent } from '#lib/http/write-idempotent.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, body, logDetails } = request;
    const { status, conversation } = await writeIdempotent<Opened>(request, `POST ${endpoint.path}`, body, (record) =>
      openConversation(table, principal, body, record),
    );
    Object.assign(logDetails, { conversationId: conversation.id });
    const { headers, ...answer } = conversationAnswer(conversation);
    const location = { location: conversationPath(conversation.id) };
    return { ...answer, status, headers: { ...headers, ...(status === 201 && location) } };
  },
});
