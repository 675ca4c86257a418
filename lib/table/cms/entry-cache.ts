import { storedBytes } from '#lib/domain/stored-size.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/** A CMS entry at this container's last read. Requests share it, so it must not be changed. */
export interface CachedEntry {
  readonly entry: StoredEntry;
  /** The version of the database for which this entry is current, if one is valid. */
  version: string | undefined;
}

const entries = containerMemory.view<CachedEntry>();

/** An item in memory takes about twice its bytes in the table. */
const memoryFactor = 2;

/** A cached entry. Its sort key is a hint. The entry itself is valid for a request that reads the same version. */
export const cachedEntry = (table: Table, workspaceId: string, modelId: string, id: string): CachedEntry | undefined =>
  entries.get(addressOf(table, workspaceId, modelId, id));

/**
 * Caches an entry that was just read. While the stored entry is unchanged, every request gets the same object, so that
 * rendered texts can be reused.
 * @param version the version of the database, if the entry is current for it
 */
export function cacheEntry(table: Table, workspaceId: string, entry: StoredEntry, version?: string): StoredEntry {
  const address = addressOf(table, workspaceId, entry.modelId, entry.id);
  const cached = entries.get(address);
  if (cached?.entry.revision === entry.revision && cached.entry.createdAt === entry.createdAt) {
    if (version !== undefined) cached.version = version;
    return cached.entry;
  }
  entries.set(address, { entry, version }, memoryFactor * storedBytes(entry), entry);
  return entry;
}

const addressOf = ({ name }: Table, workspaceId: string, modelId: string, id: string): string =>
  `${name}#${workspaceId}#${modelId}#${id}`;
