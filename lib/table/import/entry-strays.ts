import { createdAtOf, idOf, type Row, sortKeyOf } from '../cms/entry-row.ts';
import type { BatchWrite } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';

export interface Database {
  readonly workspaceId: string;
  readonly modelId: string;
}

export const entryPointerKey = ({ workspaceId, modelId }: Database, id: string): Key =>
  keys.cmsEntryPointer(workspaceId, modelId, id);

/** The item by which an entry is found under its id. */
export const entryPointer = (database: Database, id: string, row: Row): Item => ({
  ...entryPointerKey(database, id),
  createdAt: createdAtOf(row),
});

/**
 * Removes items of an interrupted import. No index contains them, so no reader has seen them.
 * @param listed the row of an entry in the new index
 */
export async function discardStrays(
  table: Table,
  database: Database,
  listed: (id: string) => Row | undefined,
): Promise<void> {
  const { workspaceId, modelId } = database;
  const pointers: BatchWrite[] = [];
  const strays: BatchWrite[] = [];
  for await (const item of table.query({ pk: keys.cmsEntries(workspaceId, modelId), only: ['pk', 'sk'] })) {
    if (sortKeyOf(listed(idOf(item.sk)) ?? '') !== item.sk) strays.push({ remove: item });
  }
  for await (const item of table.query({ pk: keys.cmsEntryPointers(workspaceId, modelId) })) {
    const row = listed(item.sk);
    if (row === undefined) strays.push({ remove: item });
    else if (createdAtOf(row) !== item['createdAt']) pointers.push({ put: entryPointer(database, item.sk, row) });
  }
  // Pointers first: until an entry's pointer names its new item, readers find it through the former one.
  await table.write(pointers);
  await table.write(strays);
}
