import { started } from '#lib/domain/started.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { repeatStaleRead, StaleRead } from '../collection/stale-read.ts';
import { cmsCollection, keys } from '../keys.ts';
import { type ChangeLog, changesOf, hasChange, isImporting } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { Repository } from '../repository.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { entryListLastSeen, type ListedRows, readEntryList } from './entry-list.ts';
import { sortKeyOf } from './entry-row.ts';
import { findEntryAt, findEntryByPointer } from './find-entry.ts';
import type { StoredEntry } from './stored-entry.ts';

export interface EntryPage {
  readonly total: number;
  /** Position of the page's last entry in the list. */
  readonly lastKey: string | undefined;
  readonly isLast: boolean;
  readonly entries: StoredEntry[];
}

export interface PageQuery {
  readonly offset: number;
  readonly limit: number;
  /** The `lastKey` of the previous page, instead of an offset. */
  readonly after?: string | undefined;
  /** Whether to read only published or only unpublished entries. @default all */
  readonly published?: boolean | undefined;
}

/**
 * The range of a page may contain other entries: new ones of an import, or ones that the query excludes. If there are
 * more than this, the page's entries are read by key.
 */
const unlistedMax = 50;

/** The maximum number of reads of a page while its rows and entries disagree about `published`. */
const strictTries = 3;

/** The CMS entries of one workspace. */
export class CmsEntries extends Repository {
  /**
   * A page, newest first. The total and the order come from the list's index, the entries from one contiguous range.
   */
  async page(modelId: string, query: PageQuery): Promise<EntryPage> {
    if (!isRecordId(modelId)) return { total: 0, entries: [], lastKey: undefined, isLast: true };
    let tries = 0;
    return repeatStaleRead(this.table, () => this.#page(modelId, query, ++tries <= strictTries));
  }

  /** The entries with these sort keys, in the same order. @throws StaleRead if one of them no longer exists */
  at(modelId: string, sortKeys: readonly string[]): Promise<StoredEntry[]> {
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    return Promise.all(
      sortKeys.map(async (sk) => this.#shown((await this.table.get({ pk, sk })) as StoredEntry | undefined)),
    );
  }

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

  async #page(modelId: string, query: PageQuery, isStrict: boolean): Promise<EntryPage> {
    started(this.#readAhead(modelId, query));
    const { limit, published, after } = query;
    const list = await readEntryList(this.table, this, modelId);
    const total = list.totalOf(published);
    const end = after === undefined ? total - query.offset : await list.countBefore(published, after);
    const count = Math.min(limit, end);
    if (count <= 0) return { total, entries: [], lastKey: undefined, isLast: true };
    const rows = await list.rowsOf(published, end - count, end);
    const entries = await this.#entriesOf(modelId, rows);
    const fitting = entries.filter((entry) => published === undefined || entry.published === published);
    // While an import writes, an entry may be newer than its row.
    if (isStrict && fitting.length < entries.length && list.state.isExact) throw new StaleRead();
    const [last] = rows.rows;
    return { total, entries: fitting, lastKey: last && sortKeyOf(last), isLast: count === end };
  }

  /** Reads the page by the cached rows, in parallel with the end of the log. */
  async #readAhead(modelId: string, { offset, limit, published, after }: PageQuery): Promise<void> {
    if (after !== undefined) return;
    const list = entryListLastSeen(this.table, this, modelId);
    const total = list?.totalOf(published) ?? 0;
    const count = Math.min(limit, total - offset);
    if (!list || count <= 0) return;
    const rows = list.cachedRowsOf(published, total - offset - count, total - offset);
    if (rows) await this.#itemsOf(modelId, rows);
  }

  /** Newest first. @throws StaleRead if one of them no longer exists */
  async #entriesOf(modelId: string, listed: ListedRows): Promise<StoredEntry[]> {
    const items = await this.#itemsOf(modelId, listed);
    const found = new Map(items.map((item) => [item.sk, item as StoredEntry]));
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    const entries = await Promise.all(
      listed.rows.map(sortKeyOf).map(async (sk) => {
        return this.#shown(found.get(sk) ?? ((await this.table.get({ pk, sk })) as StoredEntry | undefined));
      }),
    );
    return entries.reverse();
  }

  /** @throws StaleRead if the entry no longer exists */
  #shown(entry: StoredEntry | undefined): StoredEntry {
    if (!entry) throw new StaleRead();
    const shown = cacheEntry(this.table, this.workspaceId, entry);
    this.table.prime(shown);
    return shown;
  }

  /** Reads one range, unless it contains too many other entries. */
  async #itemsOf(modelId: string, { rows, unlisted }: ListedRows): Promise<Item[]> {
    const pk = keys.cmsEntries(this.workspaceId, modelId);
    const sortKeys = rows.map(sortKeyOf);
    if (unlisted > unlistedMax) {
      const items = await Promise.all(sortKeys.map((sk) => this.table.get({ pk, sk })));
      return items.filter((item) => item !== undefined);
    }
    const atMost = rows.length + unlistedMax;
    return this.table.range({ pk, from: sortKeys[0] ?? '', to: sortKeys.at(-1) ?? '', atMost });
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
function cacheEntry(table: Table, workspaceId: string, entry: StoredEntry, read?: EntryRead): StoredEntry {
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
