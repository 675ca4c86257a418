import { dueKey } from '../due/keys.ts';
import { transact } from '../dynamodb/transact.ts';
import { keys } from '../keys.ts';
import type { Item, Table, WorkspaceScope, Write, Writes } from '../table.ts';
import { type LoggedRecord, newChangeId, shortRevision } from './change-log.ts';
import { knownChanges } from './read-log.ts';

/** After this time, a change is logged again. Its item may have come so late that its id is outside of the window. */
const lateMilliseconds = 15_000;

/**
 * Carries out the transaction of a change. Each has log items of its own, so writers never conflict in the log.
 * @throws ConditionFailed, Contended, Unavailable
 */
export async function transactLogged(
  table: Table,
  { workspaceId }: WorkspaceScope,
  writes: Writes,
  records: readonly LoggedRecord[],
): Promise<void> {
  const log: Write[] = records.map((record) => () => ({ Put: { Item: itemOf(workspaceId, record) } }));
  const beganAt = Date.now();
  await transact(table, { ...writes, log });
  // A container that slept in between may have stored an item with an old id. Nobody has seen an answer yet.
  if (Date.now() - beganAt > lateMilliseconds) await logAgain(table.withGracePeriod(), { workspaceId }, records);
  if (records.length > 0 && isToNote(table, workspaceId)) await noteLongLog(table, workspaceId).catch(() => undefined);
}

/** Logs a stored change under a new id, before it is acknowledged: nobody knows when its own item arrived. */
export async function logAgain(
  table: Table,
  { workspaceId }: WorkspaceScope,
  records: readonly LoggedRecord[],
): Promise<void> {
  await Promise.all(records.map((record) => table.put(itemOf(workspaceId, record))));
}

const itemOf = (workspaceId: string, record: LoggedRecord): Item => ({
  ...keys.loggedChange(workspaceId, newChangeId()),
  ...record,
  revision: record.revision && shortRevision(record.revision),
  ...(record.before !== undefined && { before: shortRevision(record.before) }),
});

/** From this number of changes on, a log is compacted. */
export const longLogChanges = 100;

/** Some writers note a long log for compaction. One that has not read the log does not know its length. */
function isToNote(table: Table, workspaceId: string): boolean {
  const known = knownChanges(table, { workspaceId });
  if (known === undefined) return Math.random() < 1 / longLogChanges;
  return known >= longLogChanges && Math.random() < 1 / 20;
}

/** All notes of this time are one item. */
const noteMilliseconds = 10 * 60_000;

/** Notes that the lists of a workspace need compaction. It is safe to repeat. @throws Unavailable */
export async function noteLongLog(table: Table, workspaceId: string): Promise<void> {
  const dueAt = Math.floor(Date.now() / noteMilliseconds) * noteMilliseconds;
  await table.put({ ...dueKey({ type: 'compaction', group: workspaceId, id: 'log', dueAt }), workspaceId });
}
