import { randomUUID } from 'node:crypto';
import { putAll } from '../dynamodb/write-all.ts';
import type { Table } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { epochWrite, headWrite, type SeenMark } from './base-writes.ts';
import { partItem } from './chunk-rows.ts';
import type { CollectionHead, CollectionScope } from './head.ts';

export interface NextBase {
  /** The content of the directory. Its parts are stored. */
  readonly content: object;
  /** Further attributes of the head that describe the rows. */
  readonly fields: Readonly<Record<string, string | number>>;
}

interface Swap extends NextBase {
  readonly table: Table;
  readonly scope: CollectionScope;
  /** The head from which the rows were made. */
  readonly before: CollectionHead | undefined;
  /**
   * Of a compaction: the swap fails if an import has begun since it has seen the mark. The next compaction removes the
   * parts that only the previous base uses.
   */
  readonly compaction?: { readonly seenMark: SeenMark; readonly former: readonly string[] };
}

/**
 * Makes stored rows the base of a collection, in one step. Only another swap, or an import, can make it fail; changes of
 * records cannot.
 * @returns the id of the directory
 * @throws ConditionFailed when another writer has replaced the base
 */
export async function swapBase({ table, scope, before, content, fields, compaction }: Swap): Promise<string> {
  const directory = partItem(scope, JSON.stringify({ ...content, former: compaction?.former ?? [] }));
  await putAll(table, [directory]);
  const set = { ...fields, base: randomUUID(), directory: directory.partId };
  await repeatTransaction(table, {
    head: headWrite(scope, before, set),
    epoch: epochWrite(scope.workspaceId, compaction?.seenMark),
  });
  table.clearCache();
  return directory.partId;
}
