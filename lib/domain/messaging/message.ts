import * as z from 'zod/mini';
import { listOf, orNull } from '../defaults.ts';
import { RecordId } from '../text/identifier.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** A message of a conversation. Only replies have the last four properties (lib/spec/decisions.md section 7). */
export const Message = z.strictObject({
  id: RecordId,
  conversationId: RecordId,
  senderType: z.enum(['member', 'customer', 'agent', 'system']),
  senderId: orNull(RecordId),
  channelId: orNull(RecordId),
  text: z.string(),
  attachments: listOf(RecordId),
  createdAt: TimeStamp,
  inReplyTo: z.optional(RecordId),
  /** Not a RecordId: websites may use their own ids. */
  onBehalfOf: z.optional(z.string()),
  model: z.optional(z.string()),
  citations: z.optional(z.array(z.unknown())),
});
export type Message = z.infer<typeof Message>;
