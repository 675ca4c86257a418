import type * as z from 'zod/mini';
import { conversationPath } from '#lib/conversations/conversation-answer.ts';
import { findMessage, messageAnswer, messageForCaller } from '#lib/conversations/message-answer.ts';
import { conversationNotFound, idNotFound, otherCustomer } from '#lib/conversations/refusals.ts';
import { requireOwn, requireOwnConversation } from '#lib/conversations/visitor-limits.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { authorOf, type EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { Issue } from '#lib/domain/input.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { objectSizeOnDemand } from '#lib/files/object-size-on-demand.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, permissionDenied, validationFailed } from '#lib/http/errors.ts';
import { asRecorded, type ClaimWithAnswer, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { appendMessage, type ComposedMessage } from '#lib/table/messaging/append-message.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { ConversationFiles } from '#lib/table/messaging/conversation-files.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { Customers } from '#lib/table/messaging/customers.ts';
import type { Table } from '#lib/table/table.ts';
import { endpoint, type SendMessage } from './endpoint.ts';

type SentMessage = z.input<typeof endpoint.response>;

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, params, body, logDetails, requestId } = request;
    requireOwnConversation(principal, params.id);
    requireOwnMessage(principal, body);
    const scope = { sharedBy: 'workspace', operation: `POST ${conversationPath(params.id)}/messages` } as const;
    let sent: SentMessage | undefined;
    // Only its id is recorded, so that no text outlives an erased person.
    const messageId = await runIdempotent<string>(request, scope, {
      request: () => body,
      execute: async ({ claimWithAnswer }) => {
        sent = await sendMessage(table, principal, authorOf(principal, requestId), params.id, body, claimWithAnswer);
        return sent.id;
      },
      replay: asRecorded,
    });
    const message = sent ?? (await findMessage(table.uncached(), principal, params.id, messageId));
    if (!message) throw conversationNotFound();
    Object.assign(logDetails, { conversationId: message.conversationId, messageId: message.id });
    return { body: messageForCaller(principal, message) };
  },
  beginsEarly: true,
});

/**
 * Adds a message of a customer or of the calling member (lib/spec/additions.md section 3, "Messages"). A customer's
 * message opens a conversation that is resolved or snoozed.
 * @throws 404, 403, 400 in this order; Unavailable
 */
async function sendMessage(
  table: Table,
  principal: Principal,
  author: EventAuthor,
  conversationId: string,
  body: SendMessage,
  claimWithAnswer: ClaimWithAnswer<string>,
): Promise<SentMessage> {
  let files: Promise<ReadonlyMap<string, Attachment>> | undefined;
  let answer: SentMessage | undefined;
  const appended = await appendMessage(
    table,
    principal,
    conversationId,
    async (conversation): Promise<ComposedMessage> => {
      const { senderId, attached } = await senderOf(table, principal, conversation, body);
      files ??= filesOf(table, principal, body.attachments ?? []);
      const named = await files;
      return {
        message: {
          senderType: body.senderType,
          senderId,
          channelId: await channelOf(table, principal, conversation),
          text: isBlank(body.text ?? '') ? '' : (body.text ?? ''),
          attachments: [...named.keys()],
        },
        author,
        changes: {
          ...(attached && { customerId: senderId }),
          ...(isReopened(conversation, body) && { status: 'open' }),
        },
        additionalWrites: (message) => {
          answer = messageAnswer(message, named);
          return { idempotency: claimWithAnswer(answer.id) };
        },
      };
    },
  );
  if (!appended || !answer) throw conversationNotFound();
  return answer;
}

const isReopened = ({ status }: Conversation, { senderType }: SendMessage): boolean =>
  senderType === 'customer' && (status === 'resolved' || status === 'snoozed');

interface Sender {
  readonly senderId: string;
  /** The conversation has no customer, and gets this one. */
  readonly attached: boolean;
}

/** @throws 403 for a sender other than the conversation's customer or the calling member; 400 without a sender */
async function senderOf(
  table: Table,
  principal: Principal,
  { customerId }: Conversation,
  { senderType, senderId }: SendMessage,
): Promise<Sender> {
  const isSession = principal.kind === 'session';
  if (isSession && senderType !== 'member')
    throw permissionDenied('You can send messages only as yourself, with senderType member.');
  if (senderType === 'member') {
    const id = principal.member?.id ?? '';
    if (senderId !== undefined && senderId !== id)
      throw permissionDenied(
        isSession
          ? 'You can send messages only as yourself.'
          : 'This API key can send messages only as its own member.',
      );
    return { senderId: id, attached: false };
  }
  if (customerId !== null) {
    if (senderId !== undefined && senderId !== customerId) throw otherCustomer();
    return { senderId: customerId, attached: false };
  }
  if (senderId === undefined) throw badRequest([validationFailed(senderMissing)]);
  if (await new Customers(table, principal).find(senderId)) return { senderId, attached: true };
  throw badRequest([validationFailed(idNotFound('senderId', 'a customer'))]);
}

const senderMissing: Issue = {
  path: 'senderId',
  code: 'required',
  message: 'senderId: Is required, because the conversation has no customer.',
};

/** The files in the order of their ids. @throws 400 naming every id that is not stored */
async function filesOf(
  table: Table,
  principal: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Attachment>> {
  const found = await Promise.all(ids.map((id) => findFile(table, principal, id)));
  const missing = ids.flatMap((_, index) =>
    found[index] ? [] : [idNotFound(`attachments.${index}`, 'a stored file')],
  );
  if (missing.length > 0) throw badRequest(missing.map(validationFailed));
  return new Map(found.flatMap((file) => (file ? [[file.id, file] as const] : [])));
}

/** A visitor may send only files uploaded with a token of the conversation. */
async function findFile(table: Table, principal: Principal, id: string): Promise<Attachment | undefined> {
  const file = await new Attachments(table, principal).find(id, objectSizeOnDemand);
  if (!file || !principal.visitor) return file;
  const files = new ConversationFiles(table.uncached(), principal, principal.visitor.conversationId);
  return (await files.isUploaded(id)) ? file : undefined;
}

/** The conversation's channel, else its parent's. */
async function channelOf(
  table: Table,
  principal: Principal,
  { channelId, parentId }: Conversation,
): Promise<string | null> {
  if (channelId !== null || parentId === null) return channelId;
  return (await new Conversations(table, principal).find(parentId))?.channelId ?? null;
}

/** A visitor may only write as the token's customer. @throws 403 */
function requireOwnMessage({ visitor }: Principal, { senderType, senderId }: SendMessage): void {
  if (!visitor) return;
  if (senderType !== 'customer') throw permissionDenied("A visitor's token sends messages of its customer only.");
  requireOwn('senderId', senderId, visitor.customerId);
}
