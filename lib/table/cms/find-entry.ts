import { timeOfEntry } from '#lib/domain/cms/entry-id.ts';
import { started } from '#lib/domain/started.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Finds an entry by its creation time at an earlier read. If an import has moved it, its former item names the new one,
 * and later its pointer does. Access pattern C2.
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
  if (item.movedTo !== undefined) {
    const moved = await readItem(table, workspaceId, modelId, item.movedTo, id);
    return moved ?? findEntryByPointer(table, workspaceId, modelId, id);
  }
  if (item.movedFrom === undefined) return item;
  // The former item is current, and accepts updates, until the import marks it.
  const former = await readItem(table, workspaceId, modelId, item.movedFrom, id);
  return former && former.movedTo === undefined ? former : item;
}

/**
 * Finds an entry by the pointer under its id. An import can move the entry between the two reads, and both may be
 * cached in this request. So both are read again if the item is missing. It takes one round trip if the id contains the
 * creation time, else two.
 * @param missing a creation time under which the entry was not found
 */
export async function findEntryByPointer(
  table: Table,
  workspaceId: string,
  modelId: string,
  id: string,
  missing?: string,
): Promise<StoredEntry | undefined> {
  const pointerKey = keys.cmsEntryPointer(workspaceId, modelId, id);
  const read = (createdAt: string, isRepeated: boolean) => {
    if (isRepeated) table.evict(keys.cmsEntry(workspaceId, modelId, createdAt, id));
    return readItem(table, workspaceId, modelId, createdAt, id);
  };
  const usual = timeOfEntry(id);
  // Shares the round trip of the pointer. The loop then finds the entry in the cache of the request.
  if (usual !== undefined && usual !== missing) started(read(usual, false));
  for (let tries = 0; tries < pointerReadsMax; tries++) {
    const isRepeated = tries > 0;
    if (isRepeated) table.evict(pointerKey);
    const pointer = await table.get(pointerKey);
    if (!pointer) return undefined;
    const createdAt = String(pointer['createdAt']);
    const item = createdAt === missing && !isRepeated ? undefined : await read(createdAt, isRepeated);
    const found = item?.movedTo === undefined ? item : await read(item.movedTo, isRepeated);
    if (found) return found;
  }
  return undefined;
}

const pointerReadsMax = 4;

const readItem = (table: Table, workspaceId: string, modelId: string, createdAt: string, id: string) =>
  table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id)) as Promise<StoredEntry | undefined>;
