import * as z from 'zod/mini';
import { type Issue, isObject } from '#lib/domain/input.ts';
import { CustomerBody, optionalId, requiredId, WebsiteHost } from '#lib/domain/messaging/participants.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { bodyLevelsMax, jsonIssues } from '#lib/domain/text/json-value.ts';

/**
 * The body of lib/spec/interface.md section 4.7, with the additions of section 2.6 (lib/spec/decisions.md section 7).
 */
export const ReplyRequest = z
  .strictObject({
    agentId: requiredId,
    conversationId: requiredId,
    channelId: optionalId,
    lastMessageId: optionalId,
    senderId: optionalId,
    customerId: optionalId,
    customer: z.optional(z.nullable(CustomerBody)),
    channelIdentifier: z.optional(z.nullable(WebsiteHost)),
  })
  .check(
    rule((body) => jsonIssues(body, bodyLevelsMax)),
    rule(requireSenderOrMessage),
  );
export type ReplyRequest = z.infer<typeof ReplyRequest>;

function requireSenderOrMessage(body: unknown): Issue[] {
  if (!isObject(body)) return [];
  const { senderId, lastMessageId } = body;
  if ((senderId ?? lastMessageId ?? undefined) !== undefined) return [];
  return [{ path: 'senderId', code: 'required', message: 'Is required without lastMessageId.' }];
}
