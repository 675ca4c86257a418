import type * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { cursorOf, foreignCursor, positionOf } from '#lib/http/cursor.ts';
import { readThread, type Thread } from '#lib/table/messaging/conversation-state.ts';
import { type ConversationRow, Conversations } from '#lib/table/messaging/conversations.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import { ReadMarks } from '#lib/table/messaging/read-marks.ts';
import type { Table } from '#lib/table/table.ts';
import type { ConversationPage, ListQuery } from './schemas.ts';

type Page = z.input<typeof ConversationPage>;
type Shown = Page['data'][number];

/**
 * The number of conversations that one page examines. With a selective filter, the page may be shorter than its limit.
 */
const lookedAtMax = 10_000;
const rowsPerBatch = 500;

/**
 * Conversations by newest activity (lib/spec/additions.md section 3, "Lists"). The cursor is the sort key of the last
 * conversation that was read. Sort keys only grow, so reading page by page shows no conversation twice.
 * @throws 400 for a cursor of another list
 */
export async function listConversations(table: Table, principal: Principal, query: ListQuery): Promise<Page> {
  const { limit, cursor, ...filter } = query;
  const list = [principal.workspaceId, 'conversations', filter];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const rows = new Conversations(table, principal).byActivity(
    cursor === undefined ? undefined : sortKeyInCursor(list, cursor),
    isFiltered ? rowsPerBatch : limit + 1,
  );
  const data: Shown[] = [];
  let lookedAt = 0;
  let last = '';
  for await (const { batch, sortKey, count } of inBatches(rows, filter, limit + 1)) {
    lookedAt += count;
    const shown = await Promise.all(batch.map((row) => shownOf(table, principal, row)));
    for (const [index, conversation] of shown.entries()) {
      if (filter.unread !== undefined && conversation.unreadCount > 0 !== filter.unread) continue;
      if (data.length === limit) return { data, next: cursorOf(list, last) };
      data.push(conversation);
      last = batch[index]?.sortKey ?? '';
    }
    if (lookedAt >= lookedAtMax) return { data, next: cursorOf(list, sortKey) };
  }
  return { data, next: null };
}

function sortKeyInCursor(list: unknown, cursor: string): string {
  const position = positionOf(list, cursor);
  if (typeof position === 'string') return position;
  throw foreignCursor();
}

type Filter = Omit<ListQuery, 'limit' | 'cursor'>;

interface Batch {
  /** Rows that pass the filter. */
  readonly batch: readonly ConversationRow[];
  /** The sort key of the last row that was read. */
  readonly sortKey: string;
  /** Number of rows read. */
  readonly count: number;
}

async function* inBatches(rows: AsyncIterable<ConversationRow>, filter: Filter, size: number): AsyncGenerator<Batch> {
  let batch: ConversationRow[] = [];
  let sortKey = '';
  let count = 0;
  for await (const row of rows) {
    count++;
    sortKey = row.sortKey;
    if (passes(row.conversation, filter)) batch.push(row);
    if (batch.length < size && count < lookedAtMax) continue;
    yield { batch, sortKey, count };
    batch = [];
    count = 0;
  }
  if (count > 0) yield { batch, sortKey, count };
}

/** True if a conversation matches the filter by its own properties. */
function passes({ assignee, ...conversation }: Conversation, { assigneeId, assigneeType, unread, ...equal }: Filter) {
  if (assigneeId !== undefined && assignee?.id !== assigneeId) return false;
  if (assigneeType !== undefined && (assignee?.type ?? 'none') !== assigneeType) return false;
  return (Object.keys(equal) as (keyof typeof equal)[]).every(
    (name) => equal[name] === undefined || equal[name] === conversation[name],
  );
}

async function shownOf(
  table: Table,
  principal: Principal,
  { conversation, thread: stored }: ConversationRow,
): Promise<Shown> {
  // While an import writes messages, and after an interrupted one, only the messages themselves are right.
  const isValid = stored.import === undefined;
  const thread = isValid ? stored : await readThread(table, principal.workspaceId, conversation.id);
  return {
    ...conversation,
    lastMessageAt: thread.last?.createdAt ?? null,
    lastMessage: thread.last?.text ?? null,
    unreadCount: await unreadCount(table, principal, conversation, thread),
  };
}

/** The unread messages of the customer. Only messages after the calling member's read mark are read. */
async function unreadCount(
  table: Table,
  principal: Principal,
  { id }: Conversation,
  { last, ofCustomer }: Thread,
): Promise<number> {
  const marks = new ReadMarks(table, principal, { type: 'member', id: principal.member?.id ?? '' });
  const mark = await marks.find(id);
  if (!mark || !last) return ofCustomer;
  if (mark.messageId === last.id) return 0;
  return new Messages(table, principal).countOfCustomer(id, mark.sortKey);
}
