import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { columnPartIds } from '../cms/entry-columns.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import { entryListPartIds, entryListParts } from '../cms/entry-list-parts.ts';
import { createdAtOf, idOf, isPublished, type Row, rowOf, sortKeyOf } from '../cms/entry-row.ts';
import { storedContent, storedValues } from '../cms/entry-values.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import type { CollectionScope } from '../collection/head.ts';
import { ImportAnnouncement, removeCollection, removeOtherParts } from '../collection/import-announcement.ts';
import { partStore } from '../collection/parts.ts';
import { swapBase } from '../collection/swap-base.ts';
import type { BatchWrite } from '../dynamodb/write-all.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { ColumnWriter } from './column-writer.ts';
import { type EntryMove, finishMoves, markMovedItems } from './entry-moves.ts';
import type { RelationWriter } from './relation-writer.ts';
import { type Stamped, withTimes } from './times.ts';

/** An entry of a document. Missing time stamps are added here. */
export interface ImportedEntry extends Stamped {
  readonly id: string;
  readonly modelId: string;
  readonly published: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface EntryWriterOptions {
  readonly table: Table;
  readonly workspaceId: string;
  readonly modelId: string;
  readonly importedAt: string;
  /** Called for every entry that is written or removed. */
  readonly relations: RelationWriter;
  readonly columns: ColumnWriter;
}

/**
 * Writes the entries of one CMS database: first new and moved entries, then the index in one step, then the removal of
 * entries that the index no longer has. Readers see the old list or the new one, never a mixture.
 */
export class EntryWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #modelId: string;
  readonly #importedAt: string;
  readonly #relations: RelationWriter;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  readonly #columns: ColumnWriter;
  /** The next revision of each entry that stays published until the new index lists it as a draft, by id. */
  readonly #unpublished = new Map<string, string>();
  /** The rows of the list before the import by entry id, and those of the document's entries. */
  readonly #before = new Map<string, Row>();
  readonly #named = new Map<string, Row>();

  constructor({ table, workspaceId, modelId, importedAt, relations, columns }: EntryWriterOptions) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#modelId = modelId;
    this.#importedAt = importedAt;
    this.#relations = relations;
    this.#scope = entryListScope({ workspaceId }, modelId);
    this.#announcement = new ImportAnnouncement(table, this.#scope);
    this.#columns = columns;
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
    const written = changes.flatMap((change) => change.written ?? []);
    this.#columns.entriesWritten(model, written);
    for (const { written, isUnpublished } of changes) {
      if (written) this.#relations.entryWritten(model, written);
      if (written && isUnpublished) this.#unpublished.set(written.id, written.revision);
    }
    await this.#table.write(changes.flatMap(({ put }) => put));
    return changes.filter(({ put }) => put.length > 0).length;
  }

  /** @returns the number of entries that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
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
    await this.#table.write(gone.map(([id]) => ({ remove: this.#pointerKey(id) })));
    if (this.#announcement.foundUnfinished) await this.#discardStrays(prune);
    await this.#announcement.finish();
    this.#relations.entriesRemoved(
      this.#modelId,
      gone.map(([id]) => id),
    );
    return gone.length;
  }

  /** Removes the list of a database without entries. Call it after `finish`. */
  removeIndex = (): Promise<void> => removeCollection(this.#table, this.#scope);

  /** The writes for each entry. */
  async #writesFor(entries: readonly ImportedEntry[], model: Model): Promise<EntryChange[]> {
    const reads = this.#table.fresh();
    return Promise.all(
      entries.map(async (entry) => {
        const before = this.#before.get(entry.id);
        const stored = before === undefined ? undefined : await reads.get(this.#key(before));
        return this.#changeOf(entry, stored as StoredEntry | undefined, model);
      }),
    );
  }

  #changeOf(entry: ImportedEntry, stored: StoredEntry | undefined, model: Model): EntryChange {
    const { createdAt = '', updatedAt = '', published } = withTimes('cmsEntry', entry, stored, this.#importedAt);
    const row = rowOf({ sk: cmsEntrySortKey(createdAt, entry.id), published });
    const before = this.#before.get(entry.id);
    this.#named.set(entry.id, before === row ? before : row);
    const content = {
      ...this.#key(row),
      id: entry.id,
      modelId: this.#modelId,
      published,
      createdAt,
      updatedAt,
      values: storedValues(entry.values, model),
    };
    if (stored && isDeepStrictEqual(content, storedContent(stored, model))) return { put: [], written: undefined };
    const former = this.#isMoved(entry.id, row) ? { movedFrom: createdAtOf(before ?? '') } : {};
    const written = { ...content, ...former, writes: stored?.writes ?? {}, revision: randomUUID() };
    if (before === undefined) return { put: [{ put: written }, this.#pointer(entry.id, row)], written };
    if (published || !stored?.published) return { put: [{ put: written }], written };
    const put = { ...written, published: true, revision: randomUUID() };
    return { put: [{ put }], written, isUnpublished: true };
  }

  #isMoved = (id: string, row: Row): boolean => sortKeyOf(this.#before.get(id) ?? row) !== sortKeyOf(row);

  /** @returns whether this call announced the import */
  async #announce(): Promise<boolean> {
    await this.#relations.announce();
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    const list = await this.#readList();
    this.#before.clear();
    for (const row of await list.rows()) this.#before.set(idOf(row), row);
  }

  #readList = () => readEntryList(this.#table.fresh(), { workspaceId: this.#workspaceId }, this.#modelId);

  #moveOf = ([id, row]: readonly [id: string, row: Row]): EntryMove => ({
    former: this.#key(this.#before.get(id) ?? ''),
    next: this.#key(row),
    createdAt: createdAtOf(row),
  });

  /** An interrupted import may have left half-moved entries that this document does not contain. */
  async #adoptMoves(): Promise<void> {
    const entries = { pk: keys.cmsEntries(this.#workspaceId, this.#modelId) };
    for await (const item of this.#table.query({ ...entries, only: ['pk', 'sk', 'id', 'movedTo'] })) {
      const { id, movedTo } = item as StoredEntry;
      if (movedTo === undefined || this.#named.has(id) || sortKeyOf(this.#before.get(id) ?? '') !== item.sk) continue;
      const sk = cmsEntrySortKey(movedTo, id);
      const moved = (await this.#table.fresh().get(this.#key(sk))) as StoredEntry | undefined;
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
    const columns = await this.#columns.next(current, !this.#announcement.foundUnfinished, store);
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

  /** Removes items of an interrupted import. No index contains them, so no reader has seen them. */
  async #discardStrays(prune: boolean): Promise<void> {
    const listed = (id: string) => this.#named.get(id) ?? (prune ? undefined : this.#before.get(id));
    const keyOf = (id: string) => sortKeyOf(listed(id) ?? '');
    const pointers: BatchWrite[] = [];
    const strays: BatchWrite[] = [];
    const entries = { pk: keys.cmsEntries(this.#workspaceId, this.#modelId), only: ['pk', 'sk'] };
    for await (const item of this.#table.query(entries)) {
      if (keyOf(idOf(item.sk)) !== item.sk) strays.push({ remove: item });
    }
    for await (const item of this.#table.query({ pk: keys.cmsEntryPointers(this.#workspaceId, this.#modelId) })) {
      const row = listed(item.sk);
      if (row === undefined) strays.push({ remove: item });
      else if (createdAtOf(row) !== item['createdAt']) pointers.push(this.#pointer(item.sk, row));
    }
    // Pointers first: until an entry's pointer names its new item, readers find it through the former one.
    await this.#table.write(pointers);
    await this.#table.write(strays);
  }

  #key = (row: Row) => ({ pk: keys.cmsEntries(this.#workspaceId, this.#modelId), sk: sortKeyOf(row) });

  #pointerKey = (id: string) => keys.cmsEntryPointer(this.#workspaceId, this.#modelId, id);
  #pointer = (id: string, row: Row): BatchWrite => ({ put: { ...this.#pointerKey(id), createdAt: createdAtOf(row) } });
}

/** The writes that bring an entry to the document's state. */
interface EntryChange {
  readonly put: readonly BatchWrite[];
  /** The entry after the import. */
  readonly written: StoredEntry | undefined;
  readonly isUnpublished?: true;
}
