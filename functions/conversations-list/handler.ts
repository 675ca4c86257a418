import type * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { PositionKey } from '#lib/http/cursor.ts';
import { pageOf } from '#lib/http/page.ts';
import type { RequestOf } from '#lib/http/pipeline.ts';
import { readApi } from '#lib/http/read-api.ts';
import { type ConversationRow, Conversations, type Thread } from '#lib/table/messaging/conversations.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import { ReadMarks } from '#lib/table/messaging/read-marks.ts';
import type { Table } from '#lib/table/table.ts';
import { endpoint } from './endpoint.ts';

/** The number of conversations that one page examines. */
const lookedAtMax = 10_000;
const rowsPerBatch = 500;

/**
 * Conversations by newest activity (lib/spec/additions.md section 3, "Lists"). The cursor is a sort key. Only an import
 * makes one smaller, so reading page by page shows no other conversation twice. With a selective filter, the page may be
 * shorter than its limit.
 */
export const handler = readApi(endpoint, {
  handle: async ({ table, principal, query: { limit, cursor, ...filter } }) => {
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const { rows, next } = await pageOf<Examined, string>(
      { list: [principal.workspaceId, 'conversations', filter], limit, cursor },
      {
        order: { position: PositionKey, of: ({ sortKey }) => sortKey },
        after: (sortKey, count) => {
          const found = new Conversations(table, principal).byActivity(sortKey, isFiltered ? rowsPerBatch : count);
          return examined(table, principal, found, { filter, count });
        },
        matches: ({ shown }) => shown !== undefined,
        lookedAtMax,
      },
    );
    return { body: { data: rows.flatMap(({ shown }) => shown ?? []), next } };
  },
});

type Shown = z.input<typeof endpoint.response>['data'][number];

/** A conversation that a page has looked at. */
interface Examined {
  readonly sortKey: string;
  /** Undefined if the filter leaves it out. */
  readonly shown: Shown | undefined;
}

type Filter = Omit<RequestOf<typeof endpoint>['query'], 'limit' | 'cursor'>;

/** Reads the threads of the conversations that pass the filter, as many together as a page needs. */
async function* examined(
  table: Table,
  principal: Principal,
  rows: AsyncIterable<ConversationRow>,
  { filter, count }: { readonly filter: Filter; readonly count: number },
): AsyncGenerator<Examined> {
  const examine = async (row: ConversationRow): Promise<Examined> => {
    const shown = passes(row.conversation, filter) ? await shownOf(table, principal, row) : undefined;
    const isShown = filter.unread === undefined || (shown && shown.unreadCount > 0 === filter.unread);
    return { sortKey: row.sortKey, shown: isShown ? shown : undefined };
  };
  let batch: ConversationRow[] = [];
  let passing = 0;
  for await (const row of rows) {
    batch.push(row);
    if (passes(row.conversation, filter)) passing++;
    if (passing < count && batch.length < lookedAtMax) continue;
    yield* await Promise.all(batch.map(examine));
    batch = [];
    passing = 0;
  }
  yield* await Promise.all(batch.map(examine));
}

/** True if a conversation matches the filter by its own properties. */
function passes({ assignee, ...conversation }: Conversation, { assigneeId, assigneeType, unread, ...equal }: Filter) {
  if (assigneeId !== undefined && assignee?.id !== assigneeId) return false;
  if (assigneeType !== undefined && (assignee?.type ?? 'none') !== assigneeType) return false;
  return (Object.keys(equal) as (keyof typeof equal)[]).every(
    (name) => equal[name] === undefined || equal[name] === conversation[name],
  );
}

async function shownOf(table: Table, principal: Principal, { conversation, thread }: ConversationRow): Promise<Shown> {
  return {
    ...conversation,
    lastMessageAt: thread.last?.createdAt ?? null,
    lastMessage: thread.last?.text ?? null,
    unreadCount: await unreadCount(table, principal, conversation, thread),
  };
}

/** The number of the customer's messages after the calling member's read mark. */
async function unreadCount(table: Table, principal: Principal, { id }: Conversation, thread: Thread): Promise<number> {
  const { last, ofCustomer } = thread;
  const marks = new ReadMarks(table, principal, { type: 'member', id: principal.member?.id ?? '' });
  const mark = await marks.find(id);
  if (!mark || !last) return ofCustomer;
  if (mark.messageId === last.id) return 0;
  return new Messages(table, principal).countOfCustomer(id, mark.sortKey, thread);
}
