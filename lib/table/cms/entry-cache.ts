import { storedBytes } from '#lib/domain/stored-size.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/** A CMS entry as this container read it last; it is shared by requests, so nothing may change it. */
export interface CachedEntry {
  readonly entry: StoredEntry;
  /** The version of the entry's database under which the entry is as it is here, where one is known. */
  version: string | undefined;
}

const entries = containerMemory.view<CachedEntry>();

/** An item in memory takes about twice its bytes in the table. */
const memoryFactor = 2;

/** A cached entry: a hint where to read it, and the entry itself for a caller that has its version. */
export const cachedEntry = (table: Table, workspaceId: string, modelId: string, id: string): CachedEntry | undefined =>
  entries.get(addressOf(table, workspaceId, modelId, id));

/**
 * Caches an entry that was just read. While the stored entry stays as it is, every request gets the same object, so that
 * texts rendered from it can be used again.
 * @param version of the entry's database, where it vouches for what was read
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
