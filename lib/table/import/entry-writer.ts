import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { columnPartIds } from '../cms/entry-columns.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import { entryListPartIds, entryListParts } from '../cms/entry-list-parts.ts';
import { createdAtOf, idOf, isPublished, type Row, rowOf, sortKeyOf } from '../cms/entry-row.ts';
import { type StoredEntry, storedContent, storedValues } from '../cms/stored-entry.ts';
import type { CollectionScope } from '../collection/head.ts';
import { ImportAnnouncement, removeCollection, removeOtherParts } from '../collection/import-announcement.ts';
import { partStore } from '../collection/parts.ts';
import { swapBase } from '../collection/swap-base.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { withTimes } from '../writer/time-stamps.ts';
import type { ColumnWriter } from './column-writer.ts';
import {
  type Database,
  discardStrays,
  type EntryMove,
  entryPointer,
  finishMoves,
  markMovedItems,
} from './entry-moves.ts';
import type { RelationWriter } from './relation-writer.ts';
import { replaceItems } from './replace-items.ts';
import type { ConcurrentEdits, ImportedEntry } from './writer-options.ts';

export interface EntryWriterOptions {
  readonly table: Table;
  readonly workspaceId: string;
  readonly modelId: string;
  readonly importedAt: string;
  /** Called for every entry that is written or removed. */
  readonly relations: RelationWriter;
  readonly columns: ColumnWriter;
  readonly concurrentEdits: ConcurrentEdits;
}

/**
 * Writes the entries of one CMS database. New and moved entries come first, then the index in one step. Last, it
 * removes the entries that the new index lacks. Readers see the old list or the new one, never a mixture.
 */
export class EntryWriter {
  readonly #table: Table;
  readonly #database: Database;
  readonly #options: EntryWriterOptions;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  /** The next revision of each entry that stays published until the new index lists it as a draft, by id. */
  readonly #unpublished = new Map<string, string>();
  /** The rows of the list before the import by entry id, and those of the document's entries. */
  readonly #before = new Map<string, Row>();
  readonly #named = new Map<string, Row>();

  constructor(options: EntryWriterOptions) {
    const { table, workspaceId, modelId } = options;
    this.#options = options;
    this.#table = table;
    this.#database = { workspaceId, modelId };
    this.#scope = entryListScope({ workspaceId }, modelId);
    this.#announcement = new ImportAnnouncement(table, this.#scope);
  }

  async open(): Promise<void> {
    await this.#announcement.open();
    await this.#readRows();
  }

  /** @returns the number of new or different ones */
  async write(entries: readonly ImportedEntry[], model: Model): Promise<number> {
    let changes = await this.#writesFor(entries, model);
    // Other writers may have changed entries after they were read and before the announcement.
    if (changes.some(({ put }) => put.length > 0) && (await this.#announce())) {
      changes = await this.#writesFor(entries, model);
    }
    await this.#table.write(changes.flatMap(({ put, replaced }) => (replaced ? [] : put)));
    changes = await replaceItems(this.#table, changes, ({ entry }, stored: StoredEntry | undefined) =>
      this.#changeOf(entry, stored, model),
    );
    const written = changes.flatMap((change) => change.written ?? []);
    this.#options.columns.entriesWritten(model, written);
    for (const { written, isUnpublished } of changes) {
      if (written) this.#options.relations.entryWritten(model, written);
      if (written && isUnpublished) this.#unpublished.set(written.id, written.revision);
    }
    return changes.filter(({ put }) => put.length > 0).length;
  }

  /** @returns the number of entries that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    const { workspaceId, modelId } = this.#database;
    const unnamed = () => [...this.#before].filter(([id]) => !this.#named.has(id));
    const moved = () => [...this.#named].filter(([id, row]) => this.#isMoved(id, row));
    if ((prune && unnamed().length > 0) || moved().length > 0) await this.#announce();
    if (!this.#announcement.isUnfinished) return 0;
    await this.#announce();
    if (this.#announcement.foundUnfinished && !prune) await this.#adoptMoves();
    const gone = prune ? unnamed() : [];
    await markMovedItems(this.#table, moved().map(this.#moveOf));
    await this.#swapBase([...this.#named.values(), ...(prune ? [] : unnamed().map(([, row]) => row))].sort());
    await this.#table.write(moved().map(([id, row]) => this.#pointer(id, row)));
    const drafts = [...this.#unpublished].map(([id, next]) => [this.#key(this.#named.get(id) ?? ''), next] as const);
    await finishMoves(this.#table, moved().map(this.#moveOf), drafts);
    const left = [...moved().map(([id]) => this.#before.get(id) ?? ''), ...gone.map(([, row]) => row)];
    await this.#table.write(left.map((row) => ({ remove: this.#key(row) })));
    await this.#table.write(gone.map(([id]) => ({ remove: keys.cmsEntryPointer(workspaceId, modelId, id) })));
    if (this.#announcement.foundUnfinished) {
      const staying = (id: string) => (prune ? undefined : this.#before.get(id));
      await discardStrays(this.#table, this.#database, (id) => this.#named.get(id) ?? staying(id));
    }
    await this.#announcement.finish();
    const goneIds = gone.map(([id]) => id);
    this.#options.relations.entriesRemoved(modelId, goneIds);
    return gone.length;
  }

  /** Removes the list of a database without entries. Call it after `finish`. */
  removeIndex = (): Promise<void> => removeCollection(this.#table, this.#scope);

  /** The writes for each entry. */
  async #writesFor(entries: readonly ImportedEntry[], model: Model): Promise<EntryChange[]> {
    const reads = this.#table.uncached();
    return Promise.all(
      entries.map(async (entry) => {
        const before = this.#before.get(entry.id);
        const stored = before === undefined ? undefined : await reads.get(this.#key(before));
        return this.#changeOf(entry, stored as StoredEntry | undefined, model);
      }),
    );
  }

  #changeOf(entry: ImportedEntry, stored: StoredEntry | undefined, model: Model): EntryChange {
    const { createdAt = '', updatedAt = '', published } = withTimes(entry, stored, this.#options.importedAt);
    const row = rowOf({ sk: cmsEntrySortKey(createdAt, entry.id), published });
    const before = this.#before.get(entry.id);
    this.#named.set(entry.id, before === row ? before : row);
    const content = {
      ...this.#key(row),
      id: entry.id,
      modelId: this.#database.modelId,
      published,
      createdAt,
      updatedAt,
      values: storedValues(entry.values, model),
    };
    if (stored && isDeepStrictEqual(content, storedContent(stored, model))) return { entry, put: [] };
    if (stored && before !== undefined && this.#options.concurrentEdits.keeps('cmsEntry', stored, stored, entry)) {
      this.#named.set(entry.id, before);
      return { entry, put: [], written: stored };
    }
    const former = this.#isMoved(entry.id, row) ? { movedFrom: createdAtOf(before ?? '') } : {};
    const written = { ...content, ...former, writes: stored?.writes ?? {}, revision: randomUUID() };
    if (before === undefined) return { entry, put: [{ put: written }, this.#pointer(entry.id, row)], written };
    const replaced = this.#isMoved(entry.id, row) ? {} : { replaced: stored };
    if (published || !stored?.published) return { entry, put: [{ put: written }], written, ...replaced };
    const put = { ...written, published: true, revision: randomUUID() };
    return { entry, put: [{ put }], written, isUnpublished: true, ...replaced };
  }

  #isMoved = (id: string, row: Row): boolean => sortKeyOf(this.#before.get(id) ?? row) !== sortKeyOf(row);

  /** @returns whether this call announced the import */
  async #announce(): Promise<boolean> {
    await this.#options.relations.announce();
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    const list = await this.#readList();
    this.#before.clear();
    for (const row of await list.rows()) this.#before.set(idOf(row), row);
  }

  #readList = () => readEntryList(this.#table.uncached(), this.#database, this.#database.modelId);

  #moveOf = ([id, row]: readonly [id: string, row: Row]): EntryMove => ({
    former: this.#key(this.#before.get(id) ?? ''),
    next: this.#key(row),
    createdAt: createdAtOf(row),
  });

  /** An interrupted import may have left half-moved entries that this document does not contain. */
  async #adoptMoves(): Promise<void> {
    const entries = { pk: keys.cmsEntries(this.#database.workspaceId, this.#database.modelId) };
    for await (const item of this.#table.query({ ...entries, only: ['pk', 'sk', 'id', 'movedTo'] })) {
      const { id, movedTo } = item as StoredEntry;
      if (movedTo === undefined || this.#named.has(id) || sortKeyOf(this.#before.get(id) ?? '') !== item.sk) continue;
      const sk = cmsEntrySortKey(movedTo, id);
      const moved = (await this.#table.uncached().get(this.#key(sk))) as StoredEntry | undefined;
      this.#named.set(id, rowOf({ sk, published: moved?.published ?? true }));
    }
  }

  async #swapBase(rows: readonly Row[]): Promise<void> {
    const { state } = await this.#readList();
    // An update may have changed `published` since the import wrote the entry.
    const current = rows.map((row) => {
      const changed = this.#unpublished.has(idOf(row)) ? undefined : state?.changed.get(sortKeyOf(row));
      return changed && isPublished(changed.row) !== isPublished(row) ? changed.row : row;
    });
    const store = partStore(this.#table);
    const { content } = await entryListParts(this.#scope, current, state?.base, store);
    const columns = await this.#options.columns.next(current, !this.#announcement.foundUnfinished, store);
    const directory = await swapBase({
      table: this.#table,
      scope: this.#scope,
      before: state?.head,
      next: {
        content: { ...content, ...columns },
        fields: { total: current.length },
        consumed: [...(state?.applied ?? []), ...(state?.base.consumed ?? [])],
        former: [],
      },
      unlessImporting: false,
    });
    const partIds = [...entryListPartIds(content), ...columnPartIds(columns), directory];
    await removeOtherParts(this.#table, this.#scope, partIds);
  }

  #key = (row: Row) => ({
    pk: keys.cmsEntries(this.#database.workspaceId, this.#database.modelId),
    sk: sortKeyOf(row),
  });

  #pointer = (id: string, row: Row) => ({ put: entryPointer(this.#database, id, row) });
}

/** The writes that bring an entry to the document's state. */
interface EntryChange {
  readonly entry: ImportedEntry;
  readonly put: readonly { readonly put: Item }[];
  /** The stored version that the write replaces. */
  readonly replaced?: StoredEntry | undefined;
  /** The entry after the import; undefined if it has not changed. */
  readonly written?: StoredEntry;
  readonly isUnpublished?: true;
}
