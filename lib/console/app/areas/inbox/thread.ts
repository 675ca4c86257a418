import type { Message, MessagePage } from '#lib/client/types.ts';

/** The messages of a conversation as far as they were read, oldest first, and the state that came with the newest. */
export interface Thread {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly status: MessagePage['status'];
  readonly assigneeType: MessagePage['assigneeType'];
}

/** @param page the newest page, which was asked for without `after` and `before` */
export const threadOf = ({ data, hasMore, status, assigneeType }: MessagePage): Thread => ({
  messages: data,
  hasOlder: hasMore,
  status,
  assigneeType,
});

/** @param page what comes after a message of the thread; what the thread has already is left out */
export const withNewer = (thread: Thread, { data, status, assigneeType }: MessagePage): Thread => ({
  ...thread,
  messages: [...thread.messages, ...unknownOf(thread, data)],
  status,
  assigneeType,
});

/** @param page what comes before the first message of the thread */
export const withOlder = (thread: Thread, { data, hasMore }: MessagePage): Thread => ({
  ...thread,
  messages: [...unknownOf(thread, data), ...thread.messages],
  hasOlder: hasMore,
});

function unknownOf({ messages }: Thread, data: readonly Message[]): Message[] {
  const known = new Set(messages.map(({ id }) => id));
  return data.filter(({ id }) => !known.has(id));
}

/** Whether the newest message is the customer's, so that somebody should answer. */
export function awaitsReply({ messages }: Thread): Message | undefined {
  const last = messages.at(-1);
  return last?.senderType === 'customer' ? last : undefined;
}

/** Rows of several pages, each once: a conversation that moves up meanwhile is on two of them. */
export function uniqueById<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}
