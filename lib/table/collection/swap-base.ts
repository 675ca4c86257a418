import { randomUUID } from 'node:crypto';
import { putAll } from '../dynamodb/write-all.ts';
import type { Table } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { epochWrite, headWrite, type SeenMark } from './base-writes.ts';
import { type PartItem, partItem } from './chunk-rows.ts';
import type { CollectionHead, CollectionScope } from './head.ts';

export interface NextBase {
  /** The parts that are not stored yet. @default none */
  readonly unstored?: readonly PartItem[];
  /** The content of the directory. */
  readonly content: object;
  /** Further attributes of the head that describe the rows. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The parts that only the previous base uses. The next swap removes them. */
  readonly former: readonly string[];
}

interface Swap {
  readonly table: Table;
  readonly scope: CollectionScope;
  /** The head from which the rows were made. */
  readonly before: CollectionHead | undefined;
  readonly next: NextBase;
  /** Of a compaction: the swap fails if an import has begun since. */
  readonly seenMark?: SeenMark;
}

/**
 * Makes rows the base of a collection: it stores the parts, then updates the head in one step. Only another swap, or an
 * import, can make it fail; changes of records cannot.
 * @returns the id of the directory
 * @throws ConditionFailed when another writer has replaced the base
 */
export async function swapBase({ table, scope, before, next, seenMark }: Swap): Promise<string> {
  const { unstored = [], content, fields, former } = next;
  const directory = partItem(scope, JSON.stringify({ ...content, former }));
  await putAll(table, [...unstored, directory]);
  const set = { ...fields, base: randomUUID(), directory: directory.partId };
  await repeatTransaction(table, {
    head: headWrite(scope, before, set),
    epoch: epochWrite(scope.workspaceId, seenMark),
  });
  table.clearCache();
  return directory.partId;
}
