import * as z from 'zod/mini';
import { orNull } from './defaults.ts';
import { LanguageCode, RecordId } from './identifier.ts';

/** The subject of a conversation. All kinds but `main` are threads of another one (lib/spec/interface.md section 2.6). */
export const ConversationKind = z.enum(['main', 'project', 'order', 'support', 'topic']);
export type ConversationKind = z.infer<typeof ConversationKind>;

/** A conversation (lib/spec/decisions.md section 7). */
export const Conversation = z.strictObject({
  id: RecordId,
  kind: z._default(ConversationKind, 'main'),
  parentId: orNull(RecordId),
  channelId: orNull(RecordId),
  customerId: orNull(RecordId),
  language: orNull(LanguageCode),
  status: z._default(z.enum(['open', 'pending', 'snoozed', 'resolved']), 'open'),
});
export type Conversation = z.infer<typeof Conversation>;
