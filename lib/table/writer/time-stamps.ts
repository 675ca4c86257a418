import { timeStampsOf, withTimes } from '../import/times.ts';
import type { StampedKind, WrittenRecord } from './change.ts';

/** A year after it has six digits and a sign, which no time stamp has. */
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** `updatedAt` grows with every change, also within one millisecond. */
export const laterThan = (updatedAt: string, now = Date.now()): string =>
  new Date(Math.min(Math.max(now, Date.parse(updatedAt) + 1), lastMoment)).toISOString();

/**
 * A record with its time stamps: those it has itself, else `createdAt` of the stored record, and `updatedAt` of now if
 * the write changes anything.
 * @param isSame whether the record is what is stored
 * @returns undefined if the write changes nothing
 */
export function stamped<Written extends WrittenRecord>(
  kind: StampedKind,
  record: Written,
  stored: object | undefined,
  now: string,
  isSame: (record: Written) => boolean,
): Written | undefined {
  const before = stored as WrittenRecord | undefined;
  const kept = withTimes(kind, record, before, now);
  if (before && isSame(kept)) return undefined;
  const isMoved = before?.updatedAt !== undefined && record.updatedAt === undefined;
  if (!isMoved || !timeStampsOf[kind]?.includes('updatedAt')) return kept;
  return { ...kept, updatedAt: laterThan(before.updatedAt ?? now, Date.parse(now)) };
}
