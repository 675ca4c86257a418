import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, expiredAnnouncements, headKey } from './head.ts';
import { StaleRead } from './stale-read.ts';
import { type NextBase, swapBase } from './swap-base.ts';

/** The current state of a collection, and how to store it. */
export interface CompactedState {
  readonly head: CollectionHead;
  /** The log items that the stored base includes. */
  readonly consumed: ReadonlySet<string>;
  readonly applied: ReadonlySet<string>;
  /** Whether the base must be replaced even without logged changes. */
  readonly isStale?: boolean;
  /** The parts that the previous base left behind. */
  readonly former: readonly string[];
  /** The current rows. */
  readonly next: Omit<NextBase, 'consumed' | 'former'>;
  /** The ids of all parts of the current base. */
  readonly partsBefore: readonly string[];
  readonly partsAfter: readonly string[];
}

/** The number of logged changes from which a log is compacted. */
export const longLogChanges = 100;

/**
 * The maximum size of the ids of log items that a base includes. The directory has the ids and must fit into an item,
 * even if they do not compress.
 */
const consumedBytesMax = 250_000;

/** Readers of the previous head may still need its parts. No request lasts that long. */
const graceMilliseconds = 60_000;

/**
 * Folds the log of a collection into a new base. Changes continue in the meantime and stay in the log. The next run
 * removes the parts of the previous base.
 * @param readState reads the rows with all logged changes
 * @returns false if a later run must try again
 * @throws Unavailable
 */
export async function compact(
  table: Table,
  scope: CollectionScope,
  readState: (table: Table) => Promise<CompactedState | undefined>,
): Promise<boolean> {
  const head = (await table.uncached().get(headKey(scope))) as (Item & CollectionHead) | undefined;
  if (!head) return true;
  await removeExpired(table, scope, head);
  if (head.import !== undefined) return true;
  if (Date.now() - (head.since ?? 0) < graceMilliseconds) return false;
  try {
    const state = await readState(table.uncached());
    if (!state || state.head.base !== head.base) return false;
    await removeConsumed(table, scope, state.consumed);
    if (state.applied.size === 0 && !state.isStale) return true;
    const former = state.partsBefore.filter((partId) => !state.partsAfter.includes(partId));
    const consumed = oldestOf(state.applied);
    const next = { ...state.next, consumed, former: [...former, ...directoryOf(head)] };
    await swapBase({ table, scope, before: head, next, unlessImporting: true });
    await removeParts(table, scope, state.former);
    return consumed.length === state.applied.size;
  } catch (error) {
    // An import has replaced the base, and the log with it.
    if (error instanceof ConditionFailed || error instanceof StaleRead) return true;
    throw error;
  }
}

/** At most `atMost` collections with a long log. Access pattern X3. */
export const longLogs = (table: Table, atMost: number): Promise<Key[]> =>
  Array.fromAsync(table.query({ pk: keys.longLogs(), atMost }));

export const longLogOf = ({ sk }: Key): CollectionScope => {
  const end = sk.indexOf('#');
  return { workspaceId: sk.slice(0, end), collection: sk.slice(end + 1) };
};

/** Notes that a collection needs compaction. It is safe to repeat. @throws Unavailable */
export async function noteLongLog(table: Table, { workspaceId, collection }: CollectionScope): Promise<void> {
  await table.update(keys.longLog(workspaceId, collection), {
    UpdateExpression: 'SET notedAt = :now',
    ExpressionAttributeValues: { ':now': new Date().toISOString() },
    ReturnValues: 'NONE',
  });
}

/** Whether this writer should note the log for compaction. One of 20 changes of a long log does. */
export function isLongLogToNote(head: CollectionHead): boolean {
  const length = (head.version ?? 0) - (head.baseVersion ?? 0) + (head.cells ?? 0) - (head.baseCells ?? 0);
  return (length >= longLogChanges && length % 20 === 0) || expiredAnnouncements(head).length > 0;
}

/** The oldest log items that a directory can name. Readers apply the others again, and the next run folds them. */
function oldestOf(applied: ReadonlySet<string>): string[] {
  const oldest: string[] = [];
  let bytes = 0;
  for (const sk of [...applied].sort()) {
    bytes += Buffer.byteLength(sk);
    if (bytes > consumedBytesMax) break;
    oldest.push(sk);
  }
  return oldest;
}

const directoryOf = ({ directory }: CollectionHead): string[] => (directory === undefined ? [] : [directory]);

/** Readers of the current base ignore these items, and no reader uses the previous base any more. */
const removeConsumed = (table: Table, { workspaceId, collection }: CollectionScope, consumed: ReadonlySet<string>) =>
  table.write([...consumed].map((sk) => ({ remove: { pk: keys.changeLog(workspaceId, collection), sk } })));

const removeParts = (table: Table, { workspaceId, collection }: CollectionScope, partIds: readonly string[]) =>
  table.write(partIds.map((partId) => ({ remove: keys.indexPart(workspaceId, collection, partId) })));

/** Removes announcements whose writers have died. The log has everything that these writers committed. */
async function removeExpired(table: Table, scope: CollectionScope, head: CollectionHead): Promise<void> {
  const expired = expiredAnnouncements(head).slice(0, 50);
  if (expired.length === 0) return;
  await table.update(headKey(scope), {
    UpdateExpression: `ADD #version :one, #content :one REMOVE ${expired.map((_, index) => `#expired${index}`).join(', ')}`,
    ExpressionAttributeNames: {
      '#version': 'version',
      '#content': 'content',
      ...Object.fromEntries(expired.map((name, index) => [`#expired${index}`, name])),
    },
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'NONE',
  });
}
