import { createHash } from 'node:crypto';
import { messageAnswer, messageForCaller } from '#lib/conversations/message-answer.ts';
import { conversationNotFound } from '#lib/conversations/refusals.ts';
import { requireOwnConversation } from '#lib/conversations/visitor-limits.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { answerBytesMax, travelBytes } from '#lib/domain/answer-size.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { entityTagOf } from '#lib/http/conditional.ts';
import { badRequest, invalidQuery } from '#lib/http/errors.ts';
import { tagPattern } from '#lib/http/headers.ts';
import type { RequestOf } from '#lib/http/pipeline.ts';
import { readApi } from '#lib/http/read-api.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { Conversations, type StoredConversation } from '#lib/table/messaging/conversations.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { endpoint } from './endpoint.ts';

/** The size of the properties other than `data`. */
const envelopeBytes = 1_024;

/**
 * A page of the messages of a conversation, oldest first (lib/spec/additions.md section 3, "Messages"). The tag begins
 * with the state of the conversation, so a poll without news reads only the conversation. The page ends at that state;
 * later messages belong to the next tag.
 */
export const handler = readApi(endpoint, {
  handle: async ({ table, principal, params, query, headers, logDetails }) => {
    Object.assign(logDetails, { conversationId: params.id });
    requireOwnConversation(principal, params.id);
    const stored = await new Conversations(table, principal).read(params.id);
    if (!stored) throw conversationNotFound();
    const stateTag = tagOf(principal, stored, query);
    const known = listedPageTag(headers['If-None-Match'], stateTag);
    if (known) return { unchanged: known };
    const { messages, hasMore } = await findPage(new Messages(table, principal), stored, query);
    const files = await filesOf(table, principal, messages);
    const data = messages.map((message) => messageForCaller(principal, messageAnswer(message, files)));
    const fitting = fittingMessages(data, query.after !== undefined);
    const { status, assignee } = stored.conversation;
    const body = {
      data: fitting,
      hasMore: hasMore || fitting.length < data.length,
      status,
      assigneeType: assignee?.type ?? null,
    };
    return { body, etag: pageTagOf(stateTag, body) };
  },
});

/** Without `after` and `before`, the newest messages. */
type PageQuery = RequestOf<typeof endpoint>['query'];

function tagOf(principal: Principal, { conversation, revision }: StoredConversation, query: PageQuery): string {
  // A visitor sees less of the same messages.
  const view = principal.visitor ? { ...query, kind: principal.kind } : query;
  return entityTagOf(principal, view, [conversation.id, revision]);
}

/**
 * The ETag of a page that was read after its state. It begins with the state's tag, so that the state alone answers a
 * poll. Its end is a hash of the page, because a writer may have changed the page or its files in between.
 */
const pageTagOf = (stateTag: string, page: unknown): string =>
  `${beginningOf(stateTag)}${createHash('sha256').update(JSON.stringify(page)).digest('base64url').slice(0, 22)}"`;

/** The tag in an If-None-Match header that is of a page of this state. */
const listedPageTag = (ifNoneMatch: string | undefined, stateTag: string): string | undefined =>
  ((ifNoneMatch ?? '').match(tagPattern) ?? []).find((tag) => tag.startsWith(beginningOf(stateTag)));

const beginningOf = (stateTag: string): string => `${stateTag.slice(0, -1)}.`;

async function findPage(
  messages: Messages,
  { conversation: { id }, thread }: StoredConversation,
  { after, before, limit }: PageQuery,
) {
  const name = after === undefined ? 'before' : 'after';
  const boundaryId = after ?? before;
  const from = boundaryId === undefined ? undefined : await messages.sortKeyOf(id, boundaryId);
  if (boundaryId !== undefined && from === undefined) {
    const message = `${name}: Must be the id of a message of the conversation.`;
    throw badRequest([invalidQuery({ path: name, code: 'not_found', message })]);
  }
  if (!thread.last) return { messages: [], hasMore: false };
  const options = { limit, upTo: thread.last };
  return after === undefined ? messages.pageBefore(id, from, options) : messages.pageAfter(id, from ?? '', options);
}

async function filesOf(
  table: Table,
  scope: WorkspaceScope,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, Attachment>> {
  const attachments = new Attachments(table, scope);
  const ids = new Set(messages.flatMap((message) => message.attachments));
  const found = await Promise.all([...ids].map((id) => attachments.find(id)));
  return new Map(found.flatMap((file) => (file ? [[file.id, file] as const] : [])));
}

/**
 * The messages that fit into an answer, at least one. It drops the newest ones if `fromOldest` is true, else the oldest
 * ones.
 */
function fittingMessages<View>(views: readonly View[], fromOldest: boolean): View[] {
  const ordered = fromOldest ? views : views.toReversed();
  let left = answerBytesMax - envelopeBytes;
  const end = ordered.findIndex((view, index) => {
    left -= travelBytes(JSON.stringify(view)) + 1;
    return left < 0 && index > 0;
  });
  const fitting = end === -1 ? [...ordered] : ordered.slice(0, end);
  return fromOldest ? fitting : fitting.reverse();
}
