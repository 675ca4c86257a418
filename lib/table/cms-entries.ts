import { setTimeout as pause } from 'node:timers/promises';
import { isRecordId } from '#lib/domain/identifier.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { BoundedCache } from './bounded-cache.ts';
import { IndexMoved, type Row, readDirectory, readHead, readRows, rowsLastSeen } from './collection-index.ts';
import { movingEntriesVersion } from './entries-version.ts';
import { type EntryWrite, updateAsWhole, updateByPath } from './entry-write.ts';
import { ConditionFailed, RefusedByTable, Unavailable } from './errors.ts';
import { cmsCollection, cmsEntrySortKey, keys } from './keys.ts';
import { isTimeToCompact, logChange } from './product-relations.ts';
import type { Key } from './schema.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Range, Table } from './table.ts';
import { untilSettled } from './until-settled.ts';
import { compactRelations } from './write-relations.ts';

export interface EntryPage {
  readonly total: number;
  readonly entries: StoredEntry[];
}

/** Where entries were last seen: it saves the look-up of the place, and is only ever a guess. */
const places = new BoundedCache<string>(100_000);

/** Entries that lists have shown, by their places: while one stays as it is, every list has the same object. */
const shownBytesMax = 16 * 1024 * 1024;
const shownEntries = new BoundedCache<StoredEntry>(shownBytesMax);
type EntryUpdate = ReturnType<typeof updateAsWhole>;

/** Of updates that meet others in the relation head; the request's deadline comes first. */
const triesMax = 40;
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

  /** Newest first. The total and the order come from the index, the entries from one contiguous range. */
  async page(modelId: string, offset: number, limit: number): Promise<EntryPage> {
    if (!isRecordId(modelId)) return { total: 0, entries: [] };
    return untilSettled(this.#table, () => this.#page(modelId, offset, limit));
  }

  async find(modelId: string, id: string): Promise<StoredEntry | undefined> {
    if (!isRecordId(modelId) || !isRecordId(id)) return undefined;
    return (await this.#findGuessed(modelId, id)) ?? (await this.#findPlaced(modelId, id));
  }

  /** An entry whose place is known from elsewhere; where it has been moved since, it is looked up. */
  async findAt(modelId: string, createdAt: string, id: string): Promise<StoredEntry | undefined> {
    return (await this.#read(keys.cmsEntry(this.#workspaceId, modelId, createdAt, id))) ?? this.find(modelId, id);
  }

  /** Whether an entry is there, without reading it. */
  async exists(modelId: string, id: string): Promise<boolean> {
    if (!isRecordId(id)) return false;
    return (await this.#table.get(keys.cmsEntryPlace(this.#workspaceId, modelId, id))) !== undefined;
  }

  /** Whether this request has the entry already, of the page for example. */
  isRead(modelId: string, id: string): boolean {
    const createdAt = places.get(this.#address(modelId, id));
    return createdAt !== undefined && this.#table.knows(keys.cmsEntry(this.#workspaceId, modelId, createdAt, id));
  }

  /** @throws ConditionFailed when the entry is gone or, where that matters, has changed */
  async update(entry: StoredEntry, write: EntryWrite): Promise<StoredEntry> {
    const byPath = updateByPath(write);
    try {
      if (byPath) return await this.#write(entry, write, byPath);
    } catch (error) {
      if (!(error instanceof RefusedByTable)) throw error;
      // An import has stored the entry anew meanwhile, or it has grown beyond what an item may hold.
    }
    return this.#write(entry, write, updateAsWhole(write, entry.revision));
  }

  /** Makes the next `find` read the entry again. */
  forget(entry: StoredEntry): void {
    this.#table.forget(entry);
    this.#table.forget(keys.cmsEntryPlace(this.#workspaceId, entry.modelId, entry.id));
  }

  async #page(modelId: string, offset: number, limit: number): Promise<EntryPage> {
    const scope = this.#scope(modelId);
    // Beside the head, the entries that the page had when this container last saw it: mostly they still are the page.
    const rowsSeen = rowsLastSeen(scope, offset, limit) ?? [];
    if (rowsSeen.length > 0) this.#table.range(this.#rangeOf(modelId, rowsSeen)).catch(ignored);
    const head = await readHead(this.#table, scope);
    const total = head?.total ?? 0;
    const count = Math.min(limit, total - offset);
    if (!head || count <= 0) return { total, entries: [] };
    const directory = await readDirectory(this.#table, scope, head);
    const rows = await readRows(this.#table, scope, directory, total - offset - count, total - offset);
    return { total, entries: await this.#entriesOf(modelId, rows) };
  }

  /** @param rows oldest first @throws IndexMoved when one of them is no longer there */
  async #entriesOf(modelId: string, rows: readonly Row[]): Promise<StoredEntry[]> {
    const items = await this.#table.range(this.#rangeOf(modelId, rows));
    const found = new Map(items.map((item) => [item.sk, item as StoredEntry]));
    return rows.toReversed().map((row) => {
      const entry = found.get(row);
      if (!entry) throw new IndexMoved();
      places.set(this.#address(modelId, entry.id), entry.createdAt);
      const shown = this.#shown(entry);
      this.#table.remember(shown);
      return shown;
    });
  }

  #shown(entry: StoredEntry): StoredEntry {
    const address = `${entry.pk} ${entry.sk}`;
    const known = shownEntries.get(address);
    if (known?.revision === entry.revision) return known;
    // Bytes in memory are about twice those in the table.
    shownEntries.set(address, entry, 2 * storedBytes(entry));
    return entry;
  }

  #rangeOf = (modelId: string, rows: readonly Row[]): Range => ({
    pk: keys.cmsEntries(this.#workspaceId, modelId),
    from: rows[0] ?? '',
    to: rows.at(-1) ?? '',
  });

  async #findGuessed(modelId: string, id: string): Promise<StoredEntry | undefined> {
    const createdAt = places.get(this.#address(modelId, id));
    return createdAt === undefined ? undefined : this.#read(keys.cmsEntry(this.#workspaceId, modelId, createdAt, id));
  }

  async #findPlaced(modelId: string, id: string): Promise<StoredEntry | undefined> {
    const place = await this.#table.get(keys.cmsEntryPlace(this.#workspaceId, modelId, id));
    if (!place) return undefined;
    const createdAt = String(place['createdAt']);
    const entry = await this.#read(keys.cmsEntry(this.#workspaceId, modelId, createdAt, id));
    if (entry) places.set(this.#address(modelId, id), createdAt);
    return entry;
  }

  async #write(entry: StoredEntry, write: EntryWrite, update: EntryUpdate): Promise<StoredEntry> {
    const { showsInMenu, showsInEntries, once } = write;
    if (!showsInMenu && !showsInEntries && !once) return (await this.#table.update(entry, update)) as StoredEntry;
    await this.#writeWithVersions(entry, write, update);
    this.forget(entry);
    this.#table.forget(keys.entriesVersion(this.#workspaceId, entry.modelId));
    const isTimeFor = showsInMenu && isTimeToCompact(this.#table, this.#workspace);
    const [written, isTime] = await Promise.all([this.#read(entry), isTimeFor]);
    // The update is stored; should this fail, the next one makes room.
    if (isTime) await compactRelations(this.#table, this.#workspace).catch(ignored);
    if (!written) throw new ConditionFailed();
    return written;
  }

  /**
   * In one transaction with what tells readers that something has changed; when the log of the relation head is full,
   * there is room after writing the rows anew.
   */
  async #writeWithVersions(entry: StoredEntry, write: EntryWrite, update: EntryUpdate): Promise<void> {
    const { pk, sk, modelId, id, createdAt } = entry;
    const [table, scope] = [this.#table, this.#workspace];
    const item = { ...update, TableName: table.name, Key: { pk, sk } };
    for (let tries = 1; tries <= triesMax; tries++) {
      try {
        return await table.transact({
          idempotency: write.once,
          entry: { Update: { ...item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
          relations: write.showsInMenu ? logChange(table, scope, [modelId, id, createdAt]) : undefined,
          version: write.showsInEntries ? movingEntriesVersion(table, scope, modelId) : undefined,
        });
      } catch (error) {
        if (!(error instanceof ConditionFailed) || error.write !== 'relations') throw error;
        // Many updates may find the log full at once; one of them is enough to make room.
        await pause(Math.random() * 30 * Math.min(tries, 8));
        await compactRelations(table, scope);
      }
    }
    throw new Unavailable('The relations kept changing.');
  }

  #read(key: Key): Promise<StoredEntry | undefined> {
    return this.#table.get(key) as Promise<StoredEntry | undefined>;
  }

  #scope = (modelId: string) => ({ workspaceId: this.#workspaceId, collection: cmsCollection(modelId) });
  #address = (modelId: string, id: string) => `${this.#workspaceId}#${modelId}#${cmsEntrySortKey('', id)}`;
}
