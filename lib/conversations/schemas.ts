import * as z from 'zod/mini';
import type { Issue } from '#lib/domain/issue.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { Assignee, Conversation, ConversationKind, ConversationStatus } from '#lib/domain/messaging/conversation.ts';
import { identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { Message } from '#lib/domain/messaging/message.ts';
import { CustomerBody, optionalId, requiredId, WebsiteHost } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-issue.ts';
import { longerThan } from '#lib/domain/text/code-points.ts';
import { LanguageCode, RecordId } from '#lib/domain/text/identifier.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';
import { flag, wholeNumber } from '#lib/http/query-parameters.ts';

/** A conversation in answers (lib/spec/additions.md section 3, "Shape"). */
export const ConversationView = z.object(Conversation.shape);

/** A conversation in a list. */
const ConversationListView = z.object({
  ...Conversation.shape,
  lastMessageAt: z.nullable(z.string()),
  lastMessage: z.nullable(z.string()),
  unreadCount: z.number(),
});

export const ConversationPage = z.object({ data: z.array(ConversationListView), next: z.nullable(z.string()) });

/** The parameters of GET conversations. */
export const listParameters = z.object({
  status: z.optional(ConversationStatus),
  channelId: z.optional(z.string()),
  customerId: z.optional(z.string()),
  assigneeId: z.optional(z.string()),
  assigneeType: z.optional(z.enum(['agent', 'member', 'none'])),
  kind: z.optional(ConversationKind),
  parentId: z.optional(z.string()),
  unread: z.optional(flag()),
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  cursor: z.optional(z.string()),
});
export type ListQuery = z.output<typeof listParameters>;

/** The body of POST conversations (lib/spec/additions.md section 3, "Finding the conversation"). */
export const OpenConversation = z
  .strictObject({
    channelId: optionalId,
    channelIdentifier: z.optional(z.nullable(WebsiteHost)),
    customerId: optionalId,
    customer: z.optional(z.nullable(CustomerBody)),
    language: z.optional(z.nullable(LanguageCode)),
    kind: z.optional(z.nullable(ConversationKind)),
    parentId: optionalId,
  })
  .check(
    rule((body) => jsonIssues(body, bodyLevelsMax)),
    rule(participantIssues),
    rule(kindIssues),
  );
export type OpenConversation = z.infer<typeof OpenConversation>;

/** The body of PATCH conversations/{id}. */
export const ConversationChange = z
  .strictObject({
    status: z.optional(ConversationStatus),
    language: z.optional(z.nullable(LanguageCode)),
    assignee: z.optional(z.nullable(Assignee)),
  })
  .check(rule((body) => jsonIssues(body, bodyLevelsMax)));
export type ConversationChange = z.infer<typeof ConversationChange>;

/** A file of a message, with the address of its bytes. */
const MessageFile = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  s3Key: z.string(),
  url: z.string(),
});

/** A message in answers (lib/spec/additions.md section 3, "Messages"). Visitors do not see its channel. */
export const MessageView = z.object({
  ...Message.shape,
  channelId: z.optional(z.nullable(RecordId)),
  attachments: z.array(MessageFile),
  citations: z.optional(z.array(z.record(z.string(), z.unknown()))),
});

/** A page of messages, oldest first, with the state of their conversation. */
export const MessagePage = z.object({
  data: z.array(MessageView),
  hasMore: z.boolean(),
  status: ConversationStatus,
  assigneeType: z.nullable(Assignee.shape.type),
});

/** The parameters of GET conversations/{id}/messages. */
export const messageParameters = z
  .object({
    after: z.optional(z.string()),
    before: z.optional(z.string()),
    limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  })
  .check(rule(bothDirections));

/** The body and the answer of POST conversations/{id}/read. */
export const ReadMarkView = z.strictObject({ messageId: requiredId });

function bothDirections(value: unknown): Issue[] {
  const { after, before } = membersOf(value);
  if (after === undefined || before === undefined) return [];
  return [{ path: 'before', code: 'not_allowed', message: 'Cannot be combined with after.' }];
}

const textCodePointsMax = 20_000;
const attachmentsMax = 10;

/** The body of POST conversations/{id}/messages. Blank text is treated as empty. */
export const SendMessage = z
  .strictObject({
    text: z.optional(
      z.nullable(
        z.string().check(
          z.refine((text) => !longerThan(text, textCodePointsMax), {
            error: 'Must be at most 20,000 characters.',
            params: { code: 'max_length' },
          }),
        ),
      ),
    ),
    attachments: z.optional(
      z.nullable(z.array(z.string()).check(z.maxLength(attachmentsMax, 'Must be at most 10 files.'))),
    ),
    senderType: z.enum(['customer', 'member']),
    senderId: optionalId,
  })
  .check(
    rule((body) => jsonIssues(body, bodyLevelsMax)),
    rule(contentIssues),
  );
export type SendMessage = z.infer<typeof SendMessage>;

function contentIssues(value: unknown): Issue[] {
  if (!isObject(value)) return [];
  const { text, attachments } = value;
  if (Array.isArray(attachments) && attachments.length > 0) return repeatedIds(attachments);
  if ((attachments ?? undefined) !== undefined && !Array.isArray(attachments)) return [];
  if ((text ?? undefined) === undefined) {
    return [{ path: 'text', code: 'required', message: 'Is required without attachments.' }];
  }
  if (typeof text !== 'string' || text.trim() !== '') return [];
  return [{ path: 'text', code: 'min_length', message: 'Must not be blank without attachments.' }];
}

const repeatedIds = (ids: readonly unknown[]): Issue[] =>
  ids.flatMap((id, index): Issue[] =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? [{ path: `attachments.${index}`, code: 'duplicate', message: 'Must not appear twice in the array.' }]
      : [],
  );

/** A sub-conversation takes its channel and customer from its parent. */
function participantIssues(body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const issues: Issue[] = [];
  const { customer } = body;
  if (isBlank(body['customerId']) && isObject(customer) && hasNoIdentity(customer)) {
    const message = 'Must have an externalId, a well-formed email or a phone of at least 5 digits.';
    issues.push({ path: 'customer', code: 'format', message });
  }
  if (!isBlank(body['parentId'])) return issues;
  for (const [id, other] of [
    ['channelId', 'channelIdentifier'],
    ['customerId', 'customer'],
  ] as const) {
    if (!isBlank(body[id]) || (body[other] ?? undefined) !== undefined) continue;
    issues.push({ path: id, code: 'required', message: `Is required without ${other}.` });
  }
  return issues;
}

function kindIssues(value: unknown): Issue[] {
  const { parentId, kind } = membersOf(value);
  const isSub = !isBlank(parentId);
  if (isSub && (kind ?? undefined) === undefined) {
    return [{ path: 'kind', code: 'required', message: 'Is required with parentId.' }];
  }
  if (isSub && kind === 'main') {
    return [{ path: 'kind', code: 'not_allowed', message: 'Must be project, order, support or topic with parentId.' }];
  }
  if (!isSub && ConversationKind.options.some((option) => option === kind && option !== 'main')) {
    return [{ path: 'kind', code: 'not_allowed', message: 'Must be main or absent without parentId.' }];
  }
  return [];
}

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A value of another type than string is a separate issue. */
const isBlank = (id: unknown): boolean => id === undefined || id === null || (typeof id === 'string' && !id.trim());

const hasNoIdentity = (customer: JsonObject): boolean => {
  const texts = Object.entries(customer).filter(([, text]) => typeof text === 'string');
  return identitiesOf(Object.fromEntries(texts)).length === 0;
};
