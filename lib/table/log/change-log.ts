import { randomUUID } from 'node:crypto';
import { derived } from '#lib/domain/derived.ts';
import type { LoggedKind } from '../keys.ts';
import type { Key } from '../table.ts';

/**
 * A log item may become visible so much later than the time in its id: clocks of containers differ by 30 seconds at
 * most, and a change that takes longer than 15 seconds is logged again. Every read repeats this window.
 */
export const windowMilliseconds = 60_000;

/**
 * So long a container trusts what it has read, and so long a change stays in the log at least. Then a container reads
 * the log as a whole, so that no fault of a clock lasts.
 */
export const trustedMilliseconds = 10 * 60_000;

/** A part of a revision that tells the revisions of one record apart, so that items of the log are small. */
export const shortRevision = (revision: string): string => revision.slice(0, 13);

/** A changed record. The log has keys and short revisions, no values. */
export interface LoggedRecord {
  readonly kind: LoggedKind;
  readonly modelId?: string;
  readonly id: string;
  /** Of an entry. */
  readonly createdAt?: string;
  /** The revision of the record after this change; null if the change removed it, and of keys and members. */
  readonly revision: string | null;
  /** The revision that the change has replaced, if its condition was this one. */
  readonly before?: string | undefined;
  /** Whether the row of an entry stays the same, so that only queries need the change. */
  readonly sameRow?: true;
}

/** An item of the log (X2). Its sort key is the id of the change. */
export type LoggedChange = Key & LoggedRecord;

/** The item that sorts last. It has `i#<collection>` for each collection that an import is writing. */
export interface LogState {
  /** Another one after each change of a stored base. It is an id of a change. */
  readonly epoch?: string;
  /** Another one after each step of an import. */
  readonly imported?: string;
  /** All changes before this id are in the bases, and their items are removed. */
  readonly checkpoint?: string;
  /** The version of the CMS databases and the languages of their texts (cms-schema.ts). */
  readonly schema?: string;
  readonly languages?: readonly string[];
}

/** The changes that a container knows. */
export interface ChangeLog {
  readonly state: LogState;
  /** In the order of their arrival. Another array whenever one has arrived. */
  readonly changes: readonly LoggedChange[];
  /** The same object while no change between two reads can have been missed. */
  readonly view: object;
  /** Changes before this id may be missing, because a compaction has removed them. */
  readonly removedBefore: string;
  /** The proof of a key that the same request has read (read-log.ts). */
  readonly proofOfKey: (readAt: number) => KeyProof | undefined;
}

/** Shows by later logs whether a key is still the same. */
export interface KeyProof {
  /** When the read of the key began, and when the key is read again; in milliseconds since 1970. */
  readonly readAt: number;
  readonly endsAt: number;
  /** Whether no key of the workspace has changed since then. */
  isUnchanged(log: ChangeLog): boolean;
}

/** The log item of a change of the secrets of a key, or of a member with keys. @param id of the key or the member */
export const accessChange = (id: string): LoggedRecord => ({ kind: 'access', id, revision: null });

const timeLength = 9;

/** The first id of a moment. @param time milliseconds since 1970 */
export const idAt = (time: number): string => Math.max(0, time).toString(36).padStart(timeLength, '0');

/**
 * A new id for a change. Ids sort by time and are unique. Node makes the random part of many UUIDs at once.
 * @param previous the id of an earlier change, after which the new one sorts although the earlier clock was ahead
 */
export function newChangeId(previous?: string): string {
  const now = Date.now();
  const next = previous === undefined ? 0 : timeOf(previous) + 1;
  return `${idAt(next < now + windowMilliseconds ? Math.max(now, next) : now)}${randomUUID().slice(-12)}`;
}

/** The time in an id, by the clock of its writer, in milliseconds since 1970. */
export const timeOf = (changeId: string): number => Number.parseInt(changeId.slice(0, timeLength), 36);

/** Whether a change was visible as a whole at a moment. */
export const hasEnded = (changeId: string | undefined, now = Date.now()): boolean =>
  changeId === undefined || timeOf(changeId) < now - windowMilliseconds;

/**
 * Whether a log has every change since an earlier read, although no read in between may have noticed it.
 * @param readAt when that read began, by the clock of this container, in milliseconds since 1970
 */
export const hasChangesSince = ({ removedBefore }: Pick<ChangeLog, 'removedBefore'>, readAt: number): boolean =>
  removedBefore <= idAt(readAt - windowMilliseconds);

/** The name of the mark of a collection in the state. */
export const importMark = (collection: string): string => `i#${collection}`;

/** The mark of an import that is writing to a collection, or was interrupted. */
export const importMarkOf = (state: LogState, collection: string): unknown =>
  (state as Readonly<Record<string, unknown>>)[importMark(collection)];

/** Whether an import is writing to a collection, or was interrupted. */
export const isImporting = (state: LogState, collection: string): boolean =>
  importMarkOf(state, collection) !== undefined;

/** Three missed renewals of the lease of an import, and some room for clocks that differ. */
const runningMilliseconds = 60_000;

/** Whether an import runs, by its lease. It compares the clocks of two machines, so correctness must not depend on it. */
export const seemsToRun = (lease: Readonly<Record<string, unknown>> | undefined): boolean =>
  lease !== undefined && Date.now() - Date.parse(String(lease['renewedAt'])) < runningMilliseconds;

/** Whether an import seems to run that holds a kind, for writers that should not start now. */
export function isHeldByImport(lease: Readonly<Record<string, unknown>> | undefined, kind: string): boolean {
  if (!seemsToRun(lease)) return false;
  const kinds = lease?.['kinds'];
  return !Array.isArray(kinds) || kinds.includes(kind);
}

export const recordAddress = ({ kind, modelId = '', id }: Pick<LoggedRecord, 'kind' | 'modelId' | 'id'>): string =>
  `${kind} ${modelId} ${id}`;

const byRecord = derived((changes: readonly LoggedChange[]) => Map.groupBy(changes, recordAddress));

export const changesOf = (
  { changes }: Pick<ChangeLog, 'changes'>,
  record: Pick<LoggedRecord, 'kind' | 'modelId' | 'id'>,
): readonly LoggedChange[] => byRecord(changes).get(recordAddress(record)) ?? [];

/**
 * Tells which of a record's changes a read of it shows. A transaction becomes visible item by item, so the record of a
 * new item may be the one before. It has a change if it has its revision, or one that has replaced it, or if the change
 * had ended when the record was read.
 * @param changes those of the record
 */
export function shownChanges(
  changes: readonly LoggedChange[],
  { revision, readAt }: { readonly revision: string | null; readonly readAt: number },
): (change: LoggedChange) => boolean {
  const before = new Map(changes.map((change) => [change.revision, change.before]));
  const shown = new Set<string | null>();
  let current: string | null | undefined = revision && shortRevision(revision);
  while (current !== undefined && !shown.has(current)) {
    shown.add(current);
    current = before.get(current);
  }
  return (change) => shown.has(change.revision) || hasEnded(change.sk, readAt);
}
