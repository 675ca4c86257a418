import { keys } from './keys.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';

/**
 * An entry that was stored with a creation time when its place was noted. An import may have moved it since: the item
 * that it has left names the next one until it is removed, and so does the pointer under the entry's id afterwards.
 * Access pattern C2.
 */
export async function findEntryAt(
  table: Table,
  workspaceId: string,
  modelId: string,
  createdAt: string,
  id: string,
): Promise<StoredEntry | undefined> {
  const item = await readItem(table, workspaceId, modelId, createdAt, id);
  if (!item) return findEntryByPointer(table, workspaceId, modelId, id, createdAt);
  if (item.movedTo !== undefined) return readItem(table, workspaceId, modelId, item.movedTo, id);
  if (item.movedFrom === undefined) return item;
  // The former item counts, and takes updates, until the import has marked it.
  const former = await readItem(table, workspaceId, modelId, item.movedFrom, id);
  return former && former.movedTo === undefined ? former : item;
}

/** @param seen where the entry was looked for already */
export async function findEntryByPointer(
  table: Table,
  workspaceId: string,
  modelId: string,
  id: string,
  seen?: string,
): Promise<StoredEntry | undefined> {
  const pointer = await table.get(keys.cmsEntryPlace(workspaceId, modelId, id));
  if (!pointer || pointer['createdAt'] === seen) return undefined;
  const item = await readItem(table, workspaceId, modelId, String(pointer['createdAt']), id);
  return item?.movedTo === undefined ? item : readItem(table, workspaceId, modelId, item.movedTo, id);
}

const readItem = (table: Table, workspaceId: string, modelId: string, createdAt: string, id: string) =>
  table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id)) as Promise<StoredEntry | undefined>;
