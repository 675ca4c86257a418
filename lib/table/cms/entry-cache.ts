import { storedBytes } from '#lib/domain/stored-size.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

/** A CMS entry at this container's last read. Requests share it, so it must not be changed. */
export interface CachedEntry {
  readonly entry: StoredEntry;
  /** The end of the log after which it was read; undefined if that is not known. */
  read: EntryRead | undefined;
}

export interface EntryRead {
  readonly view: object;
  readonly imported: string | undefined;
  /** In milliseconds since 1970. */
  readonly readAt: number;
}

const entries = containerMemory.view<CachedEntry>();

/** An item in memory takes about twice its bytes in the table. */
const memoryFactor = 2;

/** A cached entry. Its sort key is a hint. The entry itself is valid while the log does not name it. */
export const cachedEntry = (table: Table, workspaceId: string, modelId: string, id: string): CachedEntry | undefined =>
  entries.get(addressOf(table, workspaceId, modelId, id));

/**
 * Caches an entry that was just read. While the stored entry is unchanged, every request gets the same object, so that
 * rendered texts can be reused.
 * @param read the end of the log after which it was read
 */
export function cacheEntry(table: Table, workspaceId: string, entry: StoredEntry, read?: EntryRead): StoredEntry {
  const address = addressOf(table, workspaceId, entry.modelId, entry.id);
  const cached = entries.get(address);
  if (cached?.entry.revision === entry.revision && cached.entry.createdAt === entry.createdAt) {
    if (read !== undefined) cached.read = read;
    return cached.entry;
  }
  entries.set(address, { entry, read }, memoryFactor * storedBytes(entry), entry);
  return entry;
}

const addressOf = ({ name }: Table, workspaceId: string, modelId: string, id: string): string =>
  `${name}#${workspaceId}#${modelId}#${id}`;
