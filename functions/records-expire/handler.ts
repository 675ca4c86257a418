import type { Context, ScheduledEvent } from 'aws-lambda';
import { inTurn } from '#lib/domain/in-turn.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { type DueWork, dueWorker, tableFor } from '#lib/due/due-worker.ts';
import { logWork } from '#lib/http/work-log.ts';
import { itemsBefore } from '#lib/table/dated-records.ts';
import { type ErasedCustomer, finishErasing } from '#lib/table/erasing.ts';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import {
  type RemovedConversation,
  removeContents,
  removeConversation,
  removeRecord,
  removeResponse,
} from '#lib/table/removals.ts';
import { isItemOver, keptSince } from '#lib/table/retention.ts';
import { type Item, recordOf, type Table, type WorkspaceScope } from '#lib/table/table.ts';

/** The search stops while there is time for the work below. */
const restMilliseconds = 35_000;
const lanes = 8;

/** A run in one workspace. */
interface Run {
  readonly table: Table;
  readonly isTimeLeft: () => boolean;
  /** When what this run makes due is due, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** What is left of conversations and people that are in no list any more. Work that fails stays for the next run. */
export const removedConversation: DueWork<RemovedConversation | ErasedCustomer> = {
  type: 'conversation',
  name: 'The removal of a conversation',
  lanes,
  neededMilliseconds: 15_000,

  async handle(work, { table, isTimeLeft }) {
    const isGone =
      'conversationId' in work
        ? await removeContents(table, work as RemovedConversation, isTimeLeft)
        : await finishErasing(table, work as ErasedCustomer, isTimeLeft);
    return isGone ? 'done' : 'again';
  },
};

const removeWhatIsLeft = dueWorker(removedConversation);

/** Readers no longer see a record from the end of its time on. This only removes it. */
export async function handler(
  event: ScheduledEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  const searched = await search(event, context).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await removeWhatIsLeft(event, context);
  if (searched) throw searched.error;
}

/** Looks into each workspace. A run that is cut off is continued by the next one. @throws if one cannot be read */
async function search(
  event: ScheduledEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  if (keptSince('formResponse') === undefined && keptSince('conversation') === undefined) return;
  const isTimeLeft = () => getRemainingTimeInMillis() > restMilliseconds;
  const table = tableFor(AbortSignal.timeout(Math.max(0, getRemainingTimeInMillis() - 1_000)));
  const failures: unknown[] = [];
  for (const { id: workspaceId } of inTurn(await listWorkspaces(table))) {
    if (!isTimeLeft()) break;
    // What is due at the time of the run itself sorts after its end.
    const run = { table: table.uncached(), isTimeLeft, dueAt: Date.parse(event.time) - 1 };
    await removeFrom({ workspaceId }, run).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function removeFrom(scope: WorkspaceScope, run: Run): Promise<void> {
  const { table, dueAt } = run;
  const responses = await removeEach(run, responsesOver(scope, run), (item) => removeResponse(table, scope, item));
  const conversations = await removeEach(run, conversationsOver(scope, run), (row) =>
    removeConversation(table, scope, row, dueAt),
  );
  const notifications = await removeEach(run, notificationsOver(scope, run), (item) =>
    removeRecord(table, scope, 'notification', item),
  );
  if (responses + conversations + notifications === 0) return;
  const about = { ...scope, responses, conversations, notifications };
  logWork('info', 'Records were removed whose time is over.', about);
}

async function* conversationsOver({ workspaceId }: WorkspaceScope, { table }: Run): AsyncGenerator<Item> {
  const to = keptSince('conversation');
  if (to !== undefined) yield* table.query({ pk: messagingKeys.conversationRows(workspaceId), to });
}

async function* responsesOver(scope: WorkspaceScope, { table }: Run): AsyncGenerator<Item> {
  const since = keptSince('formResponse');
  if (since !== undefined) yield* itemsBefore(table, scope, 'formResponse', since);
}

async function* notificationsOver(scope: WorkspaceScope, { table }: Run): AsyncGenerator<Item> {
  const [latest] = [keptSince('formResponse') ?? '', keptSince('conversation') ?? ''].sort().reverse();
  for await (const item of itemsBefore(table, scope, 'notification', latest ?? '')) {
    if (isItemOver('notification', item, recordOf<Notification>(item))) yield item;
  }
}

/** Removes a few items at a time, as long as there is time. @returns how many */
async function removeEach(
  { isTimeLeft }: Run,
  items: AsyncGenerator<Item>,
  remove: (item: Item) => Promise<unknown>,
): Promise<number> {
  let removed = 0;
  const lane = async () => {
    while (isTimeLeft()) {
      const { value: item, done } = await items.next();
      if (done) return;
      if ((await remove(item)) !== false) removed++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return removed;
}
