import { conversationNotFound } from '#lib/conversations/refusals.ts';
import { requireOwnConversation } from '#lib/conversations/visitor-limits.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import { ReadMarks } from '#lib/table/messaging/read-marks.ts';
import { endpoint } from './endpoint.ts';

/** The owner of the read mark: the visitor's customer, or the calling member. */
const readerOf = ({ visitor, member }: Principal) =>
  visitor
    ? ({ type: 'customer', id: visitor.customerId } as const)
    : ({ type: 'member', id: member?.id ?? '' } as const);

export const handler = api(endpoint, {
  handle: async ({ table, principal, params, body: { messageId }, logDetails }) => {
    requireOwnConversation(principal, params.id);
    const [conversation, sortKey] = await Promise.all([
      new Conversations(table, principal).find(params.id),
      new Messages(table, principal).sortKeyOf(params.id, messageId),
    ]);
    if (!conversation) throw conversationNotFound();
    if (sortKey === undefined) {
      const message = 'messageId: Must be the id of a message of the conversation.';
      throw badRequest([validationFailed({ path: 'messageId', code: 'not_found', message })]);
    }
    Object.assign(logDetails, { conversationId: conversation.id });
    const marks = new ReadMarks(table, principal, readerOf(principal));
    return { body: { messageId: await marks.move(sortKey, { id: messageId, conversationId: conversation.id }) } };
  },
  beginsEarly: true,
});
