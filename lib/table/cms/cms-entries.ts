import { started } from '#lib/domain/started.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { timeInId } from '#lib/domain/text/timed-id.ts';
import { cmsCollection, keys } from '../keys.ts';
import { type ChangeLog, changesOf, hasChangesSince, isImporting, shownChanges } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { Repository, type Table } from '../table.ts';
import type { StoredEntry } from './stored-entry.ts';

const pointerReadsMax = 4;

/** The CMS entries of one workspace, one by one. */
export class CmsEntries extends Repository {
  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(modelId) || !isRecordId(id)) return undefined;
    // Most entries still have the sort key of the last read. Otherwise the pointer is read.
    const createdAt = this.#cached(modelId, id)?.entry.createdAt;
    const entry = await (createdAt === undefined
      ? this.#findByPointer(modelId, id)
      : this.findAt(modelId, createdAt, id));
    return entry && cacheEntry(this.table, this.workspaceId, entry);
  }

  /**
   * An entry by its creation time at an earlier read. An entry that was removed and made again has another one, and its
   * pointer names it. Access pattern C1.
   */
  findAt = async (modelId: string, createdAt: string, id: string): Promise<StoredEntry | undefined> =>
    (await this.#at(modelId, createdAt, id)) ?? this.#findByPointer(modelId, id);

  /**
   * Finds an entry by the pointer under its id. The entry can be removed and made again between the two reads, so both
   * are read again if the item is missing. It takes one round trip if the id contains the creation time, else two.
   */
  async #findByPointer(
    modelId: string,
    id: string,
    table = this.table,
    readsLeft = pointerReadsMax,
  ): Promise<StoredEntry | undefined> {
    const time = timeInId('entry', id);
    // Shares the round trip of the pointer, after which the entry is in the cache of the request.
    if (time !== undefined) started(this.#at(modelId, new Date(time).toISOString(), id, table));
    const pointer = await table.get(keys.cmsEntryPointer(this.workspaceId, modelId, id));
    const found = pointer && (await this.#at(modelId, String(pointer['createdAt']), id, table));
    const isWrong = pointer && !found && readsLeft > 1;
    return isWrong ? this.#findByPointer(modelId, id, table.uncached(), readsLeft - 1) : found;
  }

  #at = (modelId: string, createdAt: string, id: string, table = this.table) =>
    table.get(keys.cmsEntry(this.workspaceId, modelId, createdAt, id)) as Promise<StoredEntry | undefined>;

  /** Whether an entry exists, without reading it. */
  async exists(modelId: string, id: string): Promise<boolean> {
    if (!isRecordId(id)) return false;
    return (await this.table.get(keys.cmsEntryPointer(this.workspaceId, modelId, id))) !== undefined;
  }

  /**
   * An entry that others show as a relation. A cached one is not read again until the log names it, or may have lost the
   * item that names it. Access pattern X2.
   */
  async findRelated(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(id)) return undefined;
    const seen = this.#cached(modelId, id);
    // For example with the page.
    if (seen && this.table.hasRead(seen.entry)) return this.find(modelId, id);
    // Before the entry is read, so that every later change is after this end of the log.
    const log = await readLog(this.table, this);
    const cached = this.#cached(modelId, id);
    if (cached && isCurrent(cached, log)) return cached.entry;
    const readAt = Date.now();
    const entry = await this.find(modelId, id);
    if (!entry || isImporting(log.state, cmsCollection(modelId))) return entry;
    const { view, state } = log;
    return cacheEntry(this.table, this.workspaceId, entry, { view, imported: state.imported, readAt });
  }

  /** Its sort key is a hint. The entry itself is valid while the log does not name it. */
  #cached = (modelId: string, id: string): CachedEntry | undefined =>
    entries.get(addressOf(this.table, this.workspaceId, modelId, id));
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
  if (isImporting(log.state, cmsCollection(modelId)) || !hasChangesSince(log, read.readAt)) return false;
  const changes = changesOf(log, { kind: 'cmsEntry', modelId, id });
  return changes.every(shownChanges(changes, { revision, readAt: read.readAt }));
}
