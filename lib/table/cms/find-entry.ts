import { started } from '#lib/domain/started.ts';
import { timeInId } from '#lib/domain/text/timed-id.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/**
 * Finds an entry by its creation time at an earlier read. An entry that was removed and made again has another one, and
 * its pointer names it. Access pattern C2.
 */
export const findEntryAt = async (
  table: Table,
  workspaceId: string,
  modelId: string,
  createdAt: string,
  id: string,
): Promise<StoredEntry | undefined> =>
  (await readItem(table, workspaceId, modelId, createdAt, id)) ??
  findEntryByPointer(table, workspaceId, modelId, id, createdAt);

/**
 * Finds an entry by the pointer under its id. The entry can be removed and made again between the two reads, and both
 * may be cached in this request. So both are read again if the item is missing. It takes one round trip if the id
 * contains the creation time, else two.
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
  const time = timeInId('entry', id);
  const usual = time === undefined ? undefined : new Date(time).toISOString();
  // Shares the round trip of the pointer. The loop then finds the entry in the cache of the request.
  if (usual !== undefined && usual !== missing) started(read(usual, false));
  for (let tries = 0; tries < pointerReadsMax; tries++) {
    const isRepeated = tries > 0;
    if (isRepeated) table.evict(pointerKey);
    const pointer = await table.get(pointerKey);
    if (!pointer) return undefined;
    const createdAt = String(pointer['createdAt']);
    const found = createdAt === missing && !isRepeated ? undefined : await read(createdAt, isRepeated);
    if (found) return found;
  }
  return undefined;
}

const pointerReadsMax = 4;

const readItem = (table: Table, workspaceId: string, modelId: string, createdAt: string, id: string) =>
  table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id)) as Promise<StoredEntry | undefined>;
