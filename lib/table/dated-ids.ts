import { randomUUID } from 'node:crypto';
import type { RecordKind } from './record-kinds.ts';

const hexadecimal = (prefix: string) => ({
  prefix,
  digits: 12,
  radix: 16,
  pattern: new RegExp(`^${prefix}([0-9a-f]{12})[0-9a-f]{20}$`),
});

/** The formats of ids that begin with their time, so that they sort by it. */
const timedIds = {
  formResponse: hexadecimal('res_'),
  notification: hexadecimal('not_'),
  attachment: { prefix: 'att_', digits: 9, radix: 36, pattern: /^att_([0-9a-z]{9})[0-9a-f]{24}$/ },
};

/** The kinds whose lists are sorted by the time in their ids. */
export type DatedKind = keyof typeof timedIds;

/** The range of the times in such ids, in milliseconds since 1970. */
export const earliest = Date.UTC(2025, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** A new id: `res_` or `not_`, the milliseconds since 1970 and random digits. */
export const newDatedId = (prefix: 'res_' | 'not_', at: Date): string =>
  `${prefix}${at.getTime().toString(16).padStart(12, '0')}${randomUUID().replaceAll('-', '').slice(12)}`;

/** The smallest id that a record of this time can have, in milliseconds since 1970. */
export function leastIdAt(kind: DatedKind, milliseconds: number): string {
  const { prefix, digits, radix } = timedIds[kind];
  const time = Math.min(Math.max(milliseconds, earliest), latest);
  return `${prefix}${time.toString(radix).padStart(digits, '0')}`;
}

export const isDatedKind = (kind: RecordKind): kind is DatedKind => Object.hasOwn(timedIds, kind);

/** Whether an id sorts among the ids that begin with their time. */
export const sortsByTime = (kind: DatedKind, id: string): boolean =>
  id >= leastIdAt(kind, earliest) && id < leastIdAt(kind, latest);

/** Whether the time in a record's id is its `createdAt`. */
export function hasTimeOfCreation(
  kind: DatedKind,
  { id, createdAt = '' }: { readonly id: string; readonly createdAt?: string },
): boolean {
  const { pattern, radix } = timedIds[kind];
  return Number.parseInt(pattern.exec(id)?.[1] ?? '', radix) === Date.parse(createdAt);
}

/**
 * Prefix of the pointers to records whose ids sort at another time than theirs. Such ids come from documents. No other
 * name begins with it.
 */
export const misplacedPrefix = 'misplaced#';
