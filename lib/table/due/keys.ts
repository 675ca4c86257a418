import { createHash } from 'node:crypto';
import type { Key } from '../table.ts';

/** The types of work that is done later. */
export type DueType = 'attempt' | 'compaction' | 'conversation' | 'image' | 'mail' | 'schedule' | 'upload';

/** Prefix of the partition keys of due work, for functions that follow the table's changes. */
export const dueWorkPrefix = (type: DueType): string => `DUE#${type}#`;

/** The partitions of due work, with the access patterns. */
export const dueKeys = {
  /** D1: the work of a type in the order of the times at which it is due, in a few partitions (lib/table/due) */
  dueWork: (type: DueType, shard: number) => `${dueWorkPrefix(type)}${shard}`,

  /** D2: the work of a type that was given up and waits for an operator, by its group and time */
  parkedWork: (type: DueType) => `PARKED#${type}`,
} as const;

/** Work is spread over a few partitions, so that a burst of writes stays below the limit of one. */
export const dueShards = [0, 1, 2, 3] as const;

export interface DueAddress {
  readonly type: DueType;
  /** Work of one group is done at the expense of no other group: that of a workspace, or of one receiver. */
  readonly group: string;
  /** Unique in its group. The same work always has the same id. */
  readonly id: string;
  /** The time at which it is due, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** Access pattern D1. All work of a group is in one shard, so a long backlog is in the way of few others. */
export function dueKey({ type, group, id, dueAt }: DueAddress): Key {
  const shard = (createHash('sha256').update(group).digest()[0] ?? 0) % dueShards.length;
  return { pk: dueKeys.dueWork(type, shard), sk: `${new Date(dueAt).toISOString()}#${group}#${id}` };
}
