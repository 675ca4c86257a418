import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, expiredAnnouncements, headKey } from './head.ts';
import { IndexMoved } from './parts.ts';
import { type NextBase, swapBase } from './swap-base.ts';

/** The parts of a collection that a compaction uses. */
export interface CompactedState {
  readonly head: CollectionHead;
  /** The log items that the base had already, and those whose changes are in the rows now. */
  readonly consumed: ReadonlySet<string>;
  readonly applied: ReadonlySet<string>;
  /** Whether the base has to be replaced even if nothing was logged. */
  readonly isStale?: boolean;
  /** The parts that the base before the current one has left. */
  readonly former: readonly string[];
  /** The rows as they are now. */
  readonly next: Omit<NextBase, 'consumed' | 'former'>;
  /** The ids of all parts of the current base, and of those that `next` uses. */
  readonly partsBefore: readonly string[];
  readonly partsAfter: readonly string[];
}

/** From so many changes in the log on, they are folded into a new base. */
export const longLogChanges = 100;

/** A reader with the head before may still look for what the head before needs; no request lasts that long. */
const graceMilliseconds = 60_000;

/** Readings of a collection whose rows keep changing; after these the next run tries again. */
const readsMax = 5;

/**
 * Folds the log of a collection into a new base. It never gets in the way of changes: they go on and stay in the log.
 * What the base before needed is removed by the next run.
 * @param readState the rows with all changes logged so far
 * @returns false when it is to be tried again later @throws Unavailable
 */
export async function compact(
  table: Table,
  scope: CollectionScope,
  readState: (table: Table) => Promise<CompactedState | undefined>,
): Promise<boolean> {
  const head = (await table.fresh().get(headKey(scope))) as (Item & CollectionHead) | undefined;
  if (!head) return true;
  await removeExpired(table, scope, head);
  if (head.import !== undefined) return true;
  if (Date.now() - (head.since ?? 0) < graceMilliseconds) return false;
  try {
    const state = await settledState(table, readState);
    if (!state || state.head.base !== head.base) return false;
    await removeConsumed(table, scope, state.consumed);
    if (state.applied.size === 0 && !state.isStale) return true;
    const former = state.partsBefore.filter((partId) => !state.partsAfter.includes(partId));
    const next = { ...state.next, consumed: [...state.applied], former: [...former, ...directoryOf(head)] };
    await swapBase({ table, scope, before: head, next, unlessImporting: true });
    await removeParts(table, scope, state.former);
    return true;
  } catch (error) {
    // An import has replaced the base, and the log with it.
    if (error instanceof ConditionFailed || error instanceof IndexMoved) return true;
    throw error;
  }
}

/** Changes in flight can make a reading unsettled, and a later one usually is not. */
async function settledState(
  table: Table,
  readState: (table: Table) => Promise<CompactedState | undefined>,
): Promise<CompactedState | undefined> {
  for (let reads = 1; reads < readsMax; reads++) {
    const state = await readState(table.fresh());
    if (state) return state;
  }
  return readState(table.fresh());
}

/** The collections with a long log, a page of them. Access pattern X3. */
export const longLogs = (table: Table, atMost: number): Promise<Key[]> =>
  Array.fromAsync(table.query({ pk: keys.longLogs(), atMost }));

export const longLogOf = ({ sk }: Key): CollectionScope => {
  const end = sk.indexOf('#');
  return { workspaceId: sk.slice(0, end), collection: sk.slice(end + 1) };
};

/** Notes that a collection is worth a compaction. Repeating it changes nothing. @throws Unavailable */
export async function noteLongLog(table: Table, { workspaceId, collection }: CollectionScope): Promise<void> {
  await table.update(keys.longLog(workspaceId, collection), {
    UpdateExpression: 'SET notedAt = :now',
    ExpressionAttributeValues: { ':now': new Date().toISOString() },
    ReturnValues: 'NONE',
  });
}

/** Whether the writer that has just announced a change is to note that the log is long: one of many is enough. */
export function isLongLogToNote(head: CollectionHead): boolean {
  const length = (head.version ?? 0) - (head.baseVersion ?? 0) + (head.cells ?? 0) - (head.baseCells ?? 0);
  return (length >= longLogChanges && length % 20 === 0) || expiredAnnouncements(head).length > 0;
}

const directoryOf = ({ directory }: CollectionHead): string[] => (directory === undefined ? [] : [directory]);

/** Readers of the current base ignore these items, and no reader has the base before any more. */
const removeConsumed = (table: Table, { workspaceId, collection }: CollectionScope, consumed: ReadonlySet<string>) =>
  table.write([...consumed].map((sk) => ({ remove: { pk: keys.changeLog(workspaceId, collection), sk } })));

const removeParts = (table: Table, { workspaceId, collection }: CollectionScope, partIds: readonly string[]) =>
  table.write(partIds.map((partId) => ({ remove: keys.indexPart(workspaceId, collection, partId) })));

/** Their writers have died; whatever they have committed is in the log. */
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
