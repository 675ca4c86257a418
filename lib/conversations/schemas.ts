import * as z from 'zod/mini';
import { type Issue, isObject, type JsonObject } from '#lib/domain/input.ts';
import { Conversation, ConversationKind, Message } from '#lib/domain/messaging/conversation.ts';
import { identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { CustomerBody, optionalId, WebsiteHost } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { LanguageCode, RecordId } from '#lib/domain/text/identifier.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';

/** A conversation in answers (lib/spec/additions.md section 3, "Shape"). */
export const ConversationView = z.object(Conversation.shape);

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
  const { parentId, kind }: JsonObject = isObject(value) ? value : {};
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

/** A value of another type than string is a separate issue. */
const isBlank = (id: unknown): boolean => id === undefined || id === null || (typeof id === 'string' && !id.trim());

const hasNoIdentity = (customer: JsonObject): boolean => {
  const texts = Object.entries(customer).filter(([, text]) => typeof text === 'string');
  return identitiesOf(Object.fromEntries(texts)).length === 0;
};
