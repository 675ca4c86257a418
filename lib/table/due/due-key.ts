import { createHash } from 'node:crypto';
import type { Key } from '../table.ts';
import { type DueType, dueKeys } from './keys.ts';

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
