import { isRecordId } from '#lib/domain/identifier.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import type { AnnouncedChange } from './collection/announced-change.ts';
import { IndexMoved } from './collection/parts.ts';
import { cachedEntry, cacheEntry } from './entry-cache.ts';
import { entryListLastSeen, type Row, readEntryList } from './entry-list.ts';
import { findEntryAt, findEntryByPointer } from './entry-place.ts';
import { type EntryWrite, updateAsWhole, updateByPath } from './entry-write.ts';
import { ConditionFailed, RefusedByTable } from './errors.ts';
import { keys } from './keys.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';
import { untilSettled } from './until-settled.ts';

export interface EntryPage {
  readonly total: number;
  readonly entries: StoredEntry[];
}

/** An import may have put entries between those of a page; of more than these, the page's own are read by their keys. */
const strangersMax = 50;

type EntryUpdate = ReturnType<typeof updateAsWhole>;
const ignored = () => undefined;

/** The CMS entries of one workspace. */
export class CmsEntries {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #workspace: WorkspaceScope;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#workspace = { workspaceId };
  }

  /** Newest first. The total and the order come from the list's index, the entries from one contiguous range. */
  async page(modelId: string, offset: number, limit: number): Promise<EntryPage> {
    if (!isRecordId(modelId)) return { total: 0, entries: [] };
    return untilSettled(this.#table, () => this.#page(modelId, offset, limit));
  }

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(modelId) || !isRecordId(id)) return undefined;
    // An entry mostly is where it was read last; otherwise its pointer is read.
    const cached = cachedEntry(this.#table, this.#workspaceId, modelId, id);
    const entry = cached
      ? await this.findAt(modelId, cached.entry.createdAt, id)
      : await findEntryByPointer(this.#table, this.#workspaceId, modelId, id);
    return entry && cacheEntry(this.#table, this.#workspaceId, entry);
  }

  /** An entry that was stored with a creation time when its place was noted. */
  findAt(modelId: string, createdAt: string, id: string): Promise<StoredEntry | undefined> {
    return findEntryAt(this.#table, this.#workspaceId, modelId, createdAt, id);
  }

  /** Whether an entry is there, without reading it. */
  async exists(modelId: string, id: string): Promise<boolean> {
    if (!isRecordId(id)) return false;
    return (await this.#table.get(keys.cmsEntryPlace(this.#workspaceId, modelId, id))) !== undefined;
  }

  /** Whether this request has the entry already, of the page for example. */
  isRead(modelId: string, id: string): boolean {
    const cached = cachedEntry(this.#table, this.#workspaceId, modelId, id);
    return cached !== undefined && this.#table.knows(cached.entry);
  }

  /**
   * @param change announced in the collections that the update concerns; its `settle` is called here
   * @throws ConditionFailed when the entry is gone or, where that matters, has changed
   */
  async update(entry: StoredEntry, write: EntryWrite, change: AnnouncedChange): Promise<StoredEntry> {
    const byPath = updateByPath(write);
    try {
      if (byPath) return await this.#write(entry, write, byPath, change);
    } catch (error) {
      if (!(error instanceof RefusedByTable)) throw error;
      // An import has stored the entry anew meanwhile, or it has grown beyond what an item may hold.
    }
    return this.#write(entry, write, updateAsWhole(write, entry.revision), change);
  }

  /** Makes the next `find` read the entry again. */
  forget(entry: StoredEntry): void {
    this.#table.forget(entry);
    this.#table.forget(keys.cmsEntryPlace(this.#workspaceId, entry.modelId, entry.id));
  }

  async #page(modelId: string, offset: number, limit: number): Promise<EntryPage> {
    this.#readAhead(modelId, offset, limit).catch(ignored);
    const list = await readEntryList(this.#table, this.#workspace, modelId);
    const { total } = list;
    const count = Math.min(limit, total - offset);
    if (count <= 0) return { total, entries: [] };
    const rows = await list.rows(total - offset - count, total - offset);
    return { total, entries: await this.#entriesOf(modelId, rows) };
  }

  /** Reads the page beside the head of the list, by the rows that this container saw last. */
  async #readAhead(modelId: string, offset: number, limit: number): Promise<void> {
    const list = entryListLastSeen(this.#table, this.#workspace, modelId);
    const count = list ? Math.min(limit, list.total - offset) : 0;
    if (!list || count <= 0) return;
    const rows = list.keptRows(list.total - offset - count, list.total - offset);
    if (rows) await this.#rangeOf(modelId, rows);
  }

  /** @param rows oldest first @throws IndexMoved when one of them is no longer there */
  async #entriesOf(modelId: string, rows: readonly Row[]): Promise<StoredEntry[]> {
    const items = await this.#rangeOf(modelId, rows);
    const found = new Map(items.map((item) => [item.sk, item as StoredEntry]));
    const pk = keys.cmsEntries(this.#workspaceId, modelId);
    const entries = await Promise.all(
      rows.map(async (row) => {
        const item = found.get(row) ?? ((await this.#table.get({ pk, sk: row })) as StoredEntry | undefined);
        if (!item) throw new IndexMoved();
        if (item.movedTo === undefined) return this.#shown(item);
        return (await this.findAt(modelId, item.movedTo, item.id)) ?? item;
      }),
    );
    return entries.reverse();
  }

  #shown(entry: StoredEntry): StoredEntry {
    const shown = cacheEntry(this.#table, this.#workspaceId, entry);
    this.#table.remember(shown);
    return shown;
  }

  #rangeOf = (modelId: string, rows: readonly Row[]) =>
    this.#table.range({
      pk: keys.cmsEntries(this.#workspaceId, modelId),
      from: rows[0] ?? '',
      to: rows.at(-1) ?? '',
      atMost: rows.length + strangersMax,
    });

  async #write(
    entry: StoredEntry,
    write: EntryWrite,
    update: EntryUpdate,
    change: AnnouncedChange,
  ): Promise<StoredEntry> {
    const { pk, sk, modelId, id, createdAt } = entry;
    if (!change.isNeeded && !write.once) return (await this.#table.update(entry, update)) as StoredEntry;
    const item = { ...update, TableName: this.#table.name, Key: { pk, sk } };
    await this.#table.transact({
      idempotency: write.once,
      entry: { Update: { ...item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
      log: change.logItems(() => [{ kind: 'cmsEntry', modelId, id, createdAt, revision: write.revision }]),
    });
    this.#table.forgetAll();
    const [written] = await Promise.all([this.findAt(modelId, createdAt, id), change.settle()]);
    if (!written) throw new ConditionFailed();
    return written;
  }
}
