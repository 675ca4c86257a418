import { ApiError } from '#lib/client/api-error.ts';
import type { VersionedRecord } from '#lib/client/records.ts';
import type { RecordVersion } from '#lib/client/types.ts';
import { historyOf } from './history-calls.ts';

/** There is nothing to go back to. */
export class NoEarlierVersion extends Error {
  override readonly name = 'NoEarlierVersion';
}

/** Somebody has changed a record of a route that takes no `If-Match`. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/** Whether somebody has changed the record since what was to be undone. */
export const isStale = (error: unknown): boolean =>
  error instanceof ChangedMeanwhile || (error instanceof ApiError && error.status === 412);

/** A page of the list may be short, because versions that the member may not see are left out. */
async function newestTwo({ versions }: ReturnType<typeof historyOf>): Promise<readonly RecordVersion[]> {
  const found: RecordVersion[] = [];
  for (let cursor: string | null | undefined; found.length < 2 && cursor !== null; ) {
    const page = await versions({ limit: 2, ...(cursor !== undefined && { cursor }) });
    found.push(...page.data);
    cursor = page.next;
  }
  return found;
}

/** What a change has left: the record with this id and ETag. */
export interface Changed {
  readonly id: string;
  readonly etag: string;
}

/** Restores the version before a change. @throws 412 if another change came after it */
export async function undoChange(kind: string, { id, etag }: Changed): Promise<VersionedRecord> {
  const history = historyOf(kind, id);
  const [, before] = await newestTwo(history);
  if (!before) throw new NoEarlierVersion();
  return history.restore(before.id, etag);
}

/** Restores a deleted record. @throws NoEarlierVersion if there is none, or the record was made again */
export async function undoDeletion(kind: string, id: string): Promise<VersionedRecord> {
  const history = historyOf(kind, id);
  const [deletion, before] = await newestTwo(history);
  if (deletion?.action !== 'delete' || !before) throw new NoEarlierVersion();
  return history.restore(before.id);
}

/**
 * Restores the version before a change that was made to many records. It leaves those that were already as they should
 * be: their last change is another one.
 * @param authorId who made the change
 * @param members what it set
 */
export async function undoOneOfMany(
  kind: string,
  { id, etag }: Changed,
  { authorId, members }: { readonly authorId: string; readonly members: readonly string[] },
): Promise<void> {
  const history = historyOf(kind, id);
  const [last, before] = await newestTwo(history);
  const isThis = last?.actor.id === authorId && members.some((member) => last.changed.includes(member));
  if (isThis && before) await history.restore(before.id, etag);
}

const lanes = 4;

interface UndoneMany {
  readonly done: number;
  readonly failed: number;
  /** The first failure. */
  readonly first: unknown;
}

/** Undoes changes that do not depend on each other, some at a time. Those that cannot be undone stay. */
export async function undoAll<Each>(
  changes: readonly Each[],
  undo: (change: Each) => Promise<unknown>,
): Promise<UndoneMany> {
  const waiting = [...changes];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await undo(next).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { done: changes.length - failures.length, failed: failures.length, first: failures[0] };
}
