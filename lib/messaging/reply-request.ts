import * as z from 'zod/mini';
import { normaliseHost } from '#lib/domain/channel.ts';
import { type Customer, CustomerText } from '#lib/domain/customer.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { jsonIssues } from '#lib/domain/json-value.ts';
import { rule } from '#lib/domain/schema-issue.ts';

/** Whether there is such an id is for the workspace's data to say, also when no id looks like this. */
const neededId = z.string().check(
  z.trim(),
  z.refine((id) => id !== '', { error: 'Must be an id.', params: { code: 'required' } }),
);

/** Null and blank count as absent. */
const maybeId = z.optional(
  z.pipe(
    z.nullable(z.string()),
    z.transform((id) => id?.trim() || undefined),
  ),
);

const maybeText = z.optional(z.nullable(CustomerText));
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
    agentId: neededId,
    conversationId: neededId,
    channelId: maybeId,
    lastMessageId: maybeId,
    senderId: maybeId,
    customerId: maybeId,
    customer: z.optional(
      z.nullable(
        z.strictObject({ externalId: maybeText, name: maybeText, email: maybeText, phone: maybeText } satisfies Record<
          keyof Omit<Customer, 'id'>,
          unknown
        >),
      ),
    ),
    channelIdentifier: z.optional(z.nullable(WebsiteHost)),
  })
  .check(
    rule((body) => jsonIssues(body, levelsMax)),
    rule(someoneToAnswer),
  );
export type ReplyRequest = z.infer<typeof ReplyRequest>;

function someoneToAnswer(body: unknown): Issue[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const { senderId, lastMessageId } = body as Record<string, unknown>;
  if ((senderId ?? lastMessageId ?? undefined) !== undefined) return [];
  return [{ path: 'senderId', code: 'required', message: 'Is required without lastMessageId.' }];
}
