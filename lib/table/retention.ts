import type { Conversation, Message } from '#lib/domain/messaging/conversation.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import type { RecordKind } from './record-kinds.ts';
import { type Item, recordOf } from './table.ts';

/** The settings of the kinds that may be kept for a number of days (lib/spec/additions.md section 12). */
const settings = { formResponse: 'RESPONSE_DAYS', conversation: 'CONVERSATION_DAYS' } as const;
export type KeptKind = keyof typeof settings;

const dayMilliseconds = 24 * 60 * 60_000;

/** A function with a wrong setting must not start: it would keep records for ever. */
for (const name of Object.values(settings)) daysOf(name);

function daysOf(name: string): number | undefined {
  const text = process.env[name] ?? '';
  if (text !== '' && !/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} must be a whole number of days above 0.`);
  return text === '' ? undefined : Number(text);
}

/** Records of this time and later are kept; undefined where all are. */
export function keptSince(kind: KeptKind): string | undefined {
  const days = daysOf(settings[kind]);
  return days === undefined ? undefined : new Date(Math.max(0, Date.now() - days * dayMilliseconds)).toISOString();
}

/** Whether the time of something is over, so that no reader may show it. @param at its time, in UTC */
export function isOver(kind: KeptKind, at: string): boolean {
  const since = keptSince(kind);
  return since !== undefined && at < since;
}

/** The time of the last activity: that of the newest message, else of the conversation itself. */
export const activeAt = (
  { createdAt }: Pick<Conversation, 'createdAt'>,
  { last }: { readonly last?: Pick<Message, 'createdAt'> | undefined },
): string => last?.createdAt ?? createdAt;

/** The same of the record in an item. A notification is kept as long as what it is about. */
export function isItemOver(kind: RecordKind, item: Item, record: object): boolean {
  const { type, createdAt = '' } = record as Partial<Notification>;
  if (kind === 'formResponse') return isOver(kind, createdAt);
  // A webhook is kept, whatever the settings.
  if (kind === 'notification' && type === 'webhook_disabled') return false;
  if (kind === 'notification') return isOver(type === 'hand_over' ? 'conversation' : 'formResponse', createdAt);
  return kind === 'conversation' && isOver(kind, activeAt({ createdAt }, JSON.parse(String(item['thread']))));
}

/** The record of an item that readers may see: absent if its time is over. */
export function keptRecordOf<R extends object>(kind: RecordKind, item: Item | undefined): R | undefined {
  const record = item && recordOf<R>(item);
  return record && !isItemOver(kind, item, record) ? record : undefined;
}
