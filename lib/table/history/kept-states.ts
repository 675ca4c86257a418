import { deflateRawSync } from 'node:zlib';
import type { AuditEvent } from '#lib/domain/access/audit-event.ts';
import type { Publishable } from '#lib/domain/events/happened.ts';
import { historyDaysDefault } from '#lib/domain/files/history-file.ts';
import { eventKeys } from '../events/keys.ts';
import { shortRevision } from '../log/change-log.ts';
import type { Item, WorkspaceScope } from '../table.ts';
import type { Revisions } from '../writer/change.ts';

/**
 * The record before and after a change, as management shows it to a caller who sees everything (README.md). Null where
 * there is none.
 */
export interface RecordStates {
  readonly before: Publishable | null;
  readonly after: Publishable | null;
  readonly revisions: Revisions;
  /** The fields of an entry that were hidden then. */
  readonly hidden?: readonly string[];
}

/** What the table keeps of the states of a change. Without either content they could not be kept. */
export interface StoredStates {
  readonly marks: StateMarks;
  /** The compressed states, or the name of their file in the bucket. */
  readonly content: { readonly states?: Uint8Array; readonly file?: string };
}

/** For so long versions are kept; 0 switches history off. */
export function historyMilliseconds(): number {
  const days = process.env['HISTORY_DAYS'] || String(historyDaysDefault);
  // An event tells the author of a version, and is kept for 400 days.
  if (!/^\d{1,3}$/.test(days) || Number(days) > 400)
    throw new Error('HISTORY_DAYS must be a whole number of days from 0 to 400.');
  return 24 * 60 * 60_000 * Number(days);
}

// A function with a wrong setting must not start.
historyMilliseconds();

/** What a version says of its states, so that a list unpacks none of them. */
export interface StateMarks {
  /** The short revision before; empty if the item had none; absent if there was no record. */
  readonly before?: string;
  /** The same after the change; absent of a deletion. */
  readonly after?: string;
  readonly wasDraft?: true;
  readonly isDraft?: true;
}

export const marksOf = ({ before, after, revisions }: RecordStates): StateMarks => ({
  ...(before && { before: shortRevision(revisions.before ?? '') }),
  ...(after && { after: shortRevision(revisions.after ?? '') }),
  ...(before?.published === false && { wasDraft: true as const }),
  ...(after?.published === false && { isDraft: true as const }),
});

/** The item that keeps the states of a change. */
export const statesItem = (
  { workspaceId }: WorkspaceScope,
  { recordKind, recordId, id, at }: Pick<AuditEvent, 'recordKind' | 'recordId' | 'id' | 'at'>,
  { marks, content }: StoredStates,
): Item => ({
  ...eventKeys.version(workspaceId, recordKind, recordId, id),
  ...marks,
  ...content,
  ttl: Math.ceil((Date.parse(at) + historyMilliseconds()) / 1_000),
});

/**
 * Most results are smaller. Each is a buffer of this size until it is collected: the default of zlib makes V8 collect its
 * whole heap many times as often.
 */
const chunkSize = 1_024;

/** JSON text has no line breaks. Both states are compressed together, because they have most of their text in common. */
export function packed({ before, after, hidden = [] }: RecordStates): Uint8Array {
  const lines = [after, before, hidden].map((part) => (part === null ? '' : JSON.stringify(part)));
  return deflateRawSync(lines.join('\n'), { chunkSize });
}
