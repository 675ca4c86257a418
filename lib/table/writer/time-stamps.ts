import type { WrittenRecord } from './change.ts';

/** `toISOString` writes later years with a sign and six digits, which are invalid in a time stamp. */
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** A time after `updatedAt`, even within the same millisecond, so that each change increases it. */
export const laterThan = (updatedAt: string, now = Date.now()): string =>
  new Date(Math.min(Math.max(now, Date.parse(updatedAt) + 1), lastMoment)).toISOString();

/**
 * Completes the time stamps of a record. `createdAt` is that of the stored record, else the given one, else now. A missing
 * `updatedAt` is now, or a millisecond after the stored one if that is later.
 * @param isSame whether the record equals the stored one
 * @returns undefined if the write changes nothing
 */
export function stamped<Written extends WrittenRecord>(
  record: Written,
  stored: object | undefined,
  now: string,
  isSame: (record: Written) => boolean,
): Written | undefined {
  const before = stored as WrittenRecord | undefined;
  const kept = withTimes(record, before, now);
  if (before && isSame(kept)) return undefined;
  const isMoved = before?.updatedAt !== undefined && record.updatedAt === undefined;
  if (!isMoved) return kept;
  return { ...kept, updatedAt: laterThan(before.updatedAt ?? now, Date.parse(now)) };
}

/** A record with optional time stamps in a document (lib/spec/workspace-document.md section 2). */
export interface Stamped {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

const stampNames = ['createdAt', 'updatedAt'] as const;

/**
 * Adds the missing time stamps of a record: those of the stored record, else the time of the import. So a second
 * import changes nothing. `createdAt` of a stored record never changes. They become the last properties, whatever their
 * order in the document. A checked record has every time stamp of its kind as a property, although undefined.
 */
export function withTimes<R extends Stamped>(record: R, stored: Stamped | undefined, importedAt: string): R {
  const { createdAt, updatedAt, ...rest } = record;
  const stamps: Stamped = { createdAt: stored?.createdAt ?? createdAt, updatedAt };
  const times = stampNames
    .filter((name) => Object.hasOwn(record, name))
    .map((name) => [name, stamps[name] ?? stored?.[name] ?? importedAt] as const);
  return { ...rest, ...Object.fromEntries(times) } as unknown as R;
}
