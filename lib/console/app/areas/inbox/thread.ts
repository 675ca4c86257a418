import type { Message, MessagePage } from '#lib/client/types.ts';

/** The loaded messages of a conversation, oldest first, with the state of the newest answer. */
export interface Thread {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly status: MessagePage['status'];
  readonly assigneeType: MessagePage['assigneeType'];
}

/** @param page the newest page, from a request without `after` and `before` */
export const threadOf = ({ data, hasMore, status, assigneeType }: MessagePage): Thread => ({
  messages: data,
  hasOlder: hasMore,
  status,
  assigneeType,
});

/** @param page messages after one of the thread; duplicates are ignored */
export const withNewer = (thread: Thread, { data, status, assigneeType }: MessagePage): Thread => ({
  ...thread,
  messages: [...thread.messages, ...unknownOf(thread, data)],
  status,
  assigneeType,
});

/** @param page messages before the first one of the thread */
export const withOlder = (thread: Thread, { data, hasMore }: MessagePage): Thread => ({
  ...thread,
  messages: [...unknownOf(thread, data), ...thread.messages],
  hasOlder: hasMore,
});

function unknownOf({ messages }: Thread, data: readonly Message[]): Message[] {
  const shownIds = new Set(messages.map(({ id }) => id));
  return data.filter(({ id }) => !shownIds.has(id));
}

/** The newest message, if it is the customer's and needs an answer. */
export function awaitsReply({ messages }: Thread): Message | undefined {
  const last = messages.at(-1);
  return last?.senderType === 'customer' ? last : undefined;
}

/** Rows of several pages without duplicates. A conversation that moves up between two reads occurs on both pages. */
export function uniqueById<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}
