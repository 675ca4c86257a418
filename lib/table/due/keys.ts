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
