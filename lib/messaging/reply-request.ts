import * as z from 'zod/mini';
import { normaliseHost } from '#lib/domain/channel.ts';
import { type Customer, CustomerText } from '#lib/domain/customer.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { jsonIssues } from '#lib/domain/json-value.ts';
import { rule } from '#lib/domain/schema-issue.ts';

/** Any non-blank string. A malformed id is answered like an unknown one. */
const requiredId = z.string().check(
  z.trim(),
  z.refine((id) => id !== '', { error: 'Must be an id.', params: { code: 'required' } }),
);

/** Null and blank count as absent. */
const optionalId = z.optional(
  z.pipe(
    z.nullable(z.string()),
    z.transform((id) => id?.trim() || undefined),
  ),
);

const optionalText = z.optional(z.nullable(CustomerText));
const levelsMax = 8;

const WebsiteHost = z.pipe(
  z
    .string()
    .check(
      z.refine((text) => normaliseHost(text) !== undefined, 'Must be the host of a website such as menu.example.com.'),
    ),
  z.transform((text) => normaliseHost(text)),
);

/**
 * The body of lib/spec/interface.md section 4.7, with what section 2.6 adds to it (lib/spec/decisions.md section 7).
 */
export const ReplyRequest = z
  .strictObject({
    agentId: requiredId,
    conversationId: requiredId,
    channelId: optionalId,
    lastMessageId: optionalId,
    senderId: optionalId,
    customerId: optionalId,
    customer: z.optional(
      z.nullable(
        z.strictObject({
          externalId: optionalText,
          name: optionalText,
          email: optionalText,
          phone: optionalText,
        } satisfies Record<keyof Omit<Customer, 'id'>, unknown>),
      ),
    ),
    channelIdentifier: z.optional(z.nullable(WebsiteHost)),
  })
  .check(
    rule((body) => jsonIssues(body, levelsMax)),
    rule(requireSenderOrMessage),
  );
export type ReplyRequest = z.infer<typeof ReplyRequest>;

function requireSenderOrMessage(body: unknown): Issue[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const { senderId, lastMessageId } = body as Record<string, unknown>;
  if ((senderId ?? lastMessageId ?? undefined) !== undefined) return [];
  return [{ path: 'senderId', code: 'required', message: 'Is required without lastMessageId.' }];
}
