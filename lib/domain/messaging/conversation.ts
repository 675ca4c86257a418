import * as z from 'zod/mini';
import { listOf, orNull } from '../schema-rules.ts';
import { LanguageCode, RecordId } from '../text/identifier.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** The subject of a conversation. All kinds but `main` are threads of another one (lib/spec/interface.md section 2.6). */
export const ConversationKind = z.enum(['main', 'project', 'order', 'support', 'topic']);

export const ConversationStatus = z.enum(['open', 'pending', 'snoozed', 'resolved']);

/** The assignee of a conversation: an agent, or a member of the team (lib/spec/additions.md section 3). */
export const Assignee = z.strictObject({ type: z.enum(['agent', 'member']), id: RecordId });
export type Assignee = z.infer<typeof Assignee>;

/** A conversation (lib/spec/decisions.md section 7, lib/spec/additions.md section 3). */
export const Conversation = z.strictObject({
  id: RecordId,
  kind: z._default(ConversationKind, 'main'),
  parentId: orNull(RecordId),
  channelId: orNull(RecordId),
  customerId: orNull(RecordId),
  language: orNull(LanguageCode),
  status: z._default(ConversationStatus, 'open'),
  assignee: z.nullable(Assignee),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type Conversation = z.infer<typeof Conversation>;

/** The look-up key of a main conversation: its customer and its channel. */
export interface CustomerChannel {
  readonly channelId: string;
  readonly customerId: string;
}

/**
 * The look-up key under which the conversation is its customer's open one. Only a main conversation that is not
 * resolved has one (lib/spec/additions.md section 3, "Finding the conversation").
 */
export function customerChannelOf({ kind, status, channelId, customerId }: Conversation): CustomerChannel | undefined {
  const isOpen = kind === 'main' && status !== 'resolved';
  return isOpen && channelId !== null && customerId !== null ? { channelId, customerId } : undefined;
}

/**
 * True if the conversation is assigned to a member or waits for one. No agent may reply then (lib/spec/additions.md
 * section 3).
 */
export const isWithTeam = ({ status, assignee }: Pick<Conversation, 'status' | 'assignee'>): boolean =>
  assignee?.type === 'member' || (status === 'pending' && assignee?.type !== 'agent');

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
