import { storedBytes } from '#lib/domain/stored-size.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { cmsCollection, keys } from '../keys.ts';
import { type ChangeLog, changesOf, hasChange, isImporting } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { Repository } from '../repository.ts';
import type { Table } from '../table.ts';
import { findEntryAt, findEntryByPointer } from './find-entry.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The CMS entries of one workspace, one by one. */
export class CmsEntries extends Repository {
  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(modelId) || !isRecordId(id)) return undefined;
    // Most entries still have the sort key of the last read. Otherwise the pointer is read.
    const cached = cachedEntry(this.table, this.workspaceId, modelId, id);
    const entry = cached
      ? await this.findAt(modelId, cached.entry.createdAt, id)
      : await findEntryByPointer(this.table, this.workspaceId, modelId, id);
    return entry && cacheEntry(this.table, this.workspaceId, entry);
  }

  /** An entry by its creation time at an earlier read. */
  findAt(modelId: string, createdAt: string, id: string): Promise<StoredEntry | undefined> {
    return findEntryAt(this.table, this.workspaceId, modelId, createdAt, id);
  }

  /** Whether an entry exists, without reading it. */
  async exists(modelId: string, id: string): Promise<boolean> {
    if (!isRecordId(id)) return false;
    return (await this.table.get(keys.cmsEntryPointer(this.workspaceId, modelId, id))) !== undefined;
  }

  /**
   * An entry that others show as a relation. A cached one is not read again until the log names it. Access pattern X2.
   */
  async findRelated(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    const seen = cachedEntry(this.table, this.workspaceId, modelId, id);
    // For example with the page.
    if (seen && this.table.hasRead(seen.entry)) return this.find(modelId, id);
    // Before the entry is read, so that every later change is after this end of the log.
    const log = await readLog(this.table, this);
    const cached = cachedEntry(this.table, this.workspaceId, modelId, id);
    if (cached && isCurrent(cached, log)) return cached.entry;
    const readAt = Date.now();
    const entry = await this.find(modelId, id);
    if (!entry || isImporting(log.state, cmsCollection(modelId))) return entry;
    const { view, state } = log;
    return cacheEntry(this.table, this.workspaceId, entry, { view, imported: state.imported, readAt });
  }
}

/** A CMS entry at this container's last read. Requests share it, so it must not be changed. */
interface CachedEntry {
  readonly entry: StoredEntry;
  /** The end of the log after which it was read; undefined if that is not known. */
  read: EntryRead | undefined;
}

interface EntryRead {
  readonly view: object;
  readonly imported: string | undefined;
  /** In milliseconds since 1970. */
  readonly readAt: number;
}

const entries = containerMemory.view<CachedEntry>();

/** An item in memory takes about twice its bytes in the table. */
const memoryFactor = 2;

/** A cached entry. Its sort key is a hint. The entry itself is valid while the log does not name it. */
const cachedEntry = (table: Table, workspaceId: string, modelId: string, id: string): CachedEntry | undefined =>
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

function isCurrent({ entry, read }: CachedEntry, log: ChangeLog): boolean {
  const { modelId, id, revision } = entry;
  if (read?.view !== log.view || read.imported !== log.state.imported) return false;
  if (isImporting(log.state, cmsCollection(modelId))) return false;
  const changes = changesOf(log, { kind: 'cmsEntry', modelId, id });
  return changes.every((change) => hasChange(change, changes, { revision, readAt: read.readAt }));
}
