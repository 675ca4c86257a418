import { removeAll } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { importMarkOf, seemsToRun } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import type { Item, Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey } from './head.ts';
import { StaleRead } from './stale-read.ts';
import { type NextBase, swapBase } from './swap-base.ts';

/** The current state of a collection, and how to store it. */
export interface CompactedState {
  readonly head: CollectionHead;
  /** Whether no change was logged since the base. */
  readonly isUnchanged: boolean;
  /** The parts that the previous base left behind. */
  readonly former: readonly string[];
  /** The current rows. */
  readonly next: Omit<NextBase, 'former'>;
  /** The ids of all parts of the current base. */
  readonly partsBefore: readonly string[];
  readonly partsAfter: readonly string[];
}

/** Readers of the previous head may still need its parts. No request lasts that long. */
const graceMilliseconds = 60_000;

/**
 * Folds the log into the base of a collection. Changes continue in the meantime and stay in the log. The next run
 * removes the parts of the previous base.
 * @param readState reads the rows with all logged changes
 * @returns false if a later run must try again
 * @throws Unavailable
 */
export async function compact(
  table: Table,
  scope: CollectionScope,
  readState: (table: Table) => Promise<CompactedState>,
): Promise<boolean> {
  const reads = table.uncached();
  const lease = await reads.get(keys.importLease(scope.workspaceId));
  const head = ((await reads.get(headKey(scope))) ?? {}) as Partial<Item> & CollectionHead;
  const { state: logState } = await readLog(reads, scope);
  const seenMark = { collection: scope.collection, id: importMarkOf(logState, scope.collection) };
  // After an interrupted import, the mark stays until the next import, but the log does not grow.
  if (seenMark.id !== undefined && seemsToRun(lease)) return false;
  const foldedAt = Date.now();
  if (foldedAt - (head.since ?? 0) < graceMilliseconds) return foldedAt - (head.foldedAt ?? 0) < graceMilliseconds;
  try {
    const state = await readState(table.uncached());
    if (state.head.base !== head.base) return false;
    if (state.isUnchanged && head.base !== undefined) return true;
    const former = state.partsBefore.filter((partId) => !state.partsAfter.includes(partId));
    const fields = { ...state.next.fields, foldedAt };
    const next = { ...state.next, fields, former: [...former, ...directoryOf(head)] };
    await swapBase({ table, scope, before: head, next, seenMark });
    await removeParts(table, scope, state.former);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof StaleRead) return false;
    throw error;
  }
}

const directoryOf = ({ directory }: CollectionHead): string[] => (directory === undefined ? [] : [directory]);

const removeParts = (table: Table, { workspaceId, collection }: CollectionScope, partIds: readonly string[]) =>
  removeAll(
    table,
    partIds.map((partId) => keys.indexPart(workspaceId, collection, partId)),
  );
