import { started } from '#lib/domain/started.ts';
import { timeInId } from '#lib/domain/text/timed-id.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Finds an entry by its creation time at an earlier read. An entry that was removed and made again has another one, and
 * its pointer names it. Access pattern C1.
 */
export const findEntryAt = async (
  table: Table,
  workspaceId: string,
  modelId: string,
  createdAt: string,
  id: string,
): Promise<StoredEntry | undefined> =>
  ((await table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id))) as StoredEntry | undefined) ??
  findEntryByPointer(table, workspaceId, modelId, id);

const pointerReadsMax = 4;

/**
 * Finds an entry by the pointer under its id. The entry can be removed and made again between the two reads, and both
 * may be cached in this request. So both are read again if the item is missing. It takes one round trip if the id
 * contains the creation time, else two.
 */
export async function findEntryByPointer(
  table: Table,
  workspaceId: string,
  modelId: string,
  id: string,
): Promise<StoredEntry | undefined> {
  const pointerKey = keys.cmsEntryPointer(workspaceId, modelId, id);
  const keyAt = (createdAt: string) => keys.cmsEntry(workspaceId, modelId, createdAt, id);
  const time = timeInId('entry', id);
  // Shares the round trip of the pointer. The loop then finds the entry in the cache of the request.
  if (time !== undefined) started(table.get(keyAt(new Date(time).toISOString())));
  for (let tries = 0; tries < pointerReadsMax; tries++) {
    if (tries > 0) table.evict(pointerKey);
    const pointer = await table.get(pointerKey);
    if (!pointer) return undefined;
    const key = keyAt(String(pointer['createdAt']));
    if (tries > 0) table.evict(key);
    const found = await table.get(key);
    if (found) return found as StoredEntry;
  }
  return undefined;
}
