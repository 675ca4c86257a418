import { timeInId } from '#lib/domain/text/timed-id.ts';
import { idAt } from './log/change-log.ts';
import type { RecordKind } from './record-kinds.ts';

/** The kinds whose lists are sorted by the time in their ids, with the prefixes of these. */
const prefixes = { formResponse: 'res', notification: 'not', attachment: 'att' } as const;
export type DatedKind = keyof typeof prefixes;

/** The range of the times in such ids, in milliseconds since 1970. */
export const earliest = Date.UTC(2025, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** The smallest id that a record of this time can have, in milliseconds since 1970. */
export const leastIdAt = (kind: DatedKind, milliseconds: number): string =>
  `${prefixes[kind]}_${idAt(Math.min(Math.max(milliseconds, earliest), latest))}`;

export const isDatedKind = (kind: RecordKind): kind is DatedKind => Object.hasOwn(prefixes, kind);

/** Whether an id sorts among the ids that begin with their time. */
export const sortsByTime = (kind: DatedKind, id: string): boolean =>
  id >= leastIdAt(kind, earliest) && id < leastIdAt(kind, latest);

/** Whether the time in a record's id is its `createdAt`. */
export const hasTimeOfCreation = (
  kind: DatedKind,
  { id, createdAt = '' }: { readonly id: string; readonly createdAt?: string },
): boolean => timeInId(prefixes[kind], id) === Date.parse(createdAt);

/**
 * Prefix of the pointers to records whose ids sort at another time than theirs. Such ids come from documents. No other
 * name begins with it.
 */
export const misplacedPrefix = 'misplaced#';
