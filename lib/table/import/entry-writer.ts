import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms-model.ts';
import { type CollectionScope, headKey } from '../collection/head.ts';
import { ImportAnnouncement, removeOtherParts } from '../collection/import-announcement.ts';
import { readLog } from '../collection/log.ts';
import { swapBase } from '../collection/swap-base.ts';
import {
  type EntryList,
  entryListPartIds,
  entryListParts,
  entryListScope,
  type Row,
  readEntryList,
} from '../entry-list.ts';
import { storedContent, storedValues } from '../entry-values.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import type { StoredEntry } from '../stored-entry.ts';
import type { Table } from '../table.ts';
import type { Change } from '../write-all.ts';
import { type EntryMove, leaveFormerItems, settleNewItems } from './entry-moves.ts';
import type { RelationWriter } from './relation-writer.ts';
import { type Stamped, withTimes } from './times.ts';

/** An entry of a document; what has no time stamp gets one here. */
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
  /** Is told of every entry that is written or removed. */
  readonly relations: RelationWriter;
}

/**
 * Writes the entries of one CMS database: new and moved ones beside what is there, then the index in one step, then
 * away with what it no longer names. A reader counts and orders the old entries or the new ones, never a mixture.
 */
export class EntryWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #modelId: string;
  readonly #importedAt: string;
  readonly #relations: RelationWriter;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  #list: EntryList | undefined;
  /** The rows of the list by entry id: as they were when the import began, and those of the document's entries. */
  readonly #before = new Map<string, Row>();
  readonly #named = new Map<string, Row>();

  constructor({ table, workspaceId, modelId, importedAt, relations }: EntryWriterOptions) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#modelId = modelId;
    this.#importedAt = importedAt;
    this.#relations = relations;
    this.#scope = entryListScope({ workspaceId }, modelId);
    this.#announcement = new ImportAnnouncement(table, this.#scope);
  }

  async open(): Promise<void> {
    await this.#announcement.open();
    await this.#readRows();
  }

  /** @returns how many of them were new or different */
  async write(entries: readonly ImportedEntry[], model: Model): Promise<number> {
    let changes = await this.#judge(entries, model);
    // What was changed before the announcement may not have been read yet.
    if (changes.some(({ put }) => put.length > 0) && (await this.#announce())) {
      changes = await this.#judge(entries, model);
    }
    for (const { written } of changes) if (written) this.#relations.entryWritten(model, written);
    await this.#table.write(changes.flatMap(({ put }) => put));
    return changes.filter(({ put }) => put.length > 0).length;
  }

  /** @returns how many entries were removed because the document does not name them */
  async finish(prune: boolean): Promise<number> {
    const unnamed = () => [...this.#before].filter(([id]) => !this.#named.has(id));
    const moved = () => [...this.#named].filter(([id, row]) => (this.#before.get(id) ?? row) !== row);
    if ((prune && unnamed().length > 0) || moved().length > 0) await this.#announce();
    if (!this.#announcement.isUnfinished) return 0;
    await this.#announce();
    if (this.#announcement.foundUnfinished && !prune) await this.#adoptMoves();
    const gone = prune ? unnamed() : [];
    await leaveFormerItems(this.#table, moved().map(this.#moveOf));
    await this.#swapBase([...this.#named.values(), ...(prune ? [] : unnamed().map(([, row]) => row))].sort());
    await this.#table.write(moved().map(([id, row]) => this.#pointer(id, row)));
    await settleNewItems(this.#table, moved().map(this.#moveOf));
    const left = [...moved().map(([id]) => this.#before.get(id) ?? ''), ...gone.map(([, row]) => row)];
    await this.#table.write(left.map((row) => ({ remove: this.#key(row) })));
    await this.#table.write(gone.map(([id]) => ({ remove: keys.cmsEntryPlace(this.#workspaceId, this.#modelId, id) })));
    if (this.#announcement.foundUnfinished) await this.#discardStrays(prune);
    await this.#announcement.finish();
    this.#relations.entriesRemoved(
      this.#modelId,
      gone.map(([id]) => id),
    );
    return gone.length;
  }

  /** Called after `finish` when the database is to go, and has no entries any more. */
  async removeIndex(): Promise<void> {
    await this.#table.write([{ remove: headKey(this.#scope) }]);
    await removeOtherParts(this.#table, this.#scope, []);
    const log = await readLog(this.#table, this.#scope);
    await this.#table.write(log.map(({ pk, sk }) => ({ remove: { pk, sk } })));
  }

  /** What has to be written for each entry. */
  async #judge(entries: readonly ImportedEntry[], model: Model): Promise<EntryChange[]> {
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
    const row = cmsEntrySortKey(createdAt, entry.id);
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
    const former = before === undefined || before === row ? {} : { movedFrom: createdAtOf(before) };
    const written = { ...content, ...former, writes: stored?.writes ?? {}, revision: randomUUID() };
    return {
      put: before === undefined ? [{ put: written }, this.#pointer(entry.id, row)] : [{ put: written }],
      written,
    };
  }

  /** @returns whether it was announced by this call */
  async #announce(): Promise<boolean> {
    await this.#relations.announce();
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    this.#list = await readEntryList(this.#table.fresh(), { workspaceId: this.#workspaceId }, this.#modelId);
    this.#before.clear();
    for (const row of await this.#list.rows()) this.#before.set(idOf(row), row);
  }

  #moveOf = ([id, row]: readonly [id: string, row: Row]): EntryMove => ({
    former: this.#key(this.#before.get(id) ?? ''),
    next: this.#key(row),
    createdAt: createdAtOf(row),
  });

  /** An import that was stopped may have left entries half moved that this document does not name. */
  async #adoptMoves(): Promise<void> {
    const entries = { pk: keys.cmsEntries(this.#workspaceId, this.#modelId) };
    for await (const item of this.#table.query({ ...entries, only: ['pk', 'sk', 'id', 'movedTo'] })) {
      const { id, movedTo } = item as StoredEntry;
      if (movedTo === undefined || this.#named.has(id) || this.#before.get(id) !== item.sk) continue;
      this.#named.set(id, cmsEntrySortKey(movedTo, id));
    }
  }

  async #swapBase(rows: readonly Row[]): Promise<void> {
    const state = this.#list?.state;
    const { fresh, content } = entryListParts(this.#scope, rows, state?.base);
    const directory = await swapBase({
      table: this.#table,
      scope: this.#scope,
      before: state?.head,
      next: {
        fresh,
        content,
        fields: { total: rows.length },
        consumed: [...(state?.applied ?? []), ...(state?.base.consumed ?? [])],
        former: [],
      },
      unlessImporting: false,
    });
    await removeOtherParts(this.#table, this.#scope, [...entryListPartIds(content), directory]);
  }

  /** What an import that was stopped half-way has left: it is in no index, so nobody has counted on it. */
  async #discardStrays(prune: boolean): Promise<void> {
    const rowOf = (id: string) => this.#named.get(id) ?? (prune ? undefined : this.#before.get(id));
    const pointers: Change[] = [];
    const strays: Change[] = [];
    const entries = { pk: keys.cmsEntries(this.#workspaceId, this.#modelId), only: ['pk', 'sk'] };
    for await (const item of this.#table.query(entries)) {
      if (rowOf(idOf(item.sk)) !== item.sk) strays.push({ remove: item });
    }
    for await (const item of this.#table.query({ pk: keys.cmsEntryPlaces(this.#workspaceId, this.#modelId) })) {
      const row = rowOf(item.sk);
      if (row === undefined) strays.push({ remove: item });
      else if (createdAtOf(row) !== item['createdAt']) pointers.push(this.#pointer(item.sk, row));
    }
    // Pointers first: until an entry's pointer names its new item, readers find it through the former one.
    await this.#table.write(pointers);
    await this.#table.write(strays);
  }

  #key = (row: Row) => ({ pk: keys.cmsEntries(this.#workspaceId, this.#modelId), sk: row });

  #pointer = (id: string, row: Row): Change => ({
    put: { ...keys.cmsEntryPlace(this.#workspaceId, this.#modelId, id), createdAt: createdAtOf(row) },
  });
}

/** What an entry needs to be as the document says. */
interface EntryChange {
  readonly put: readonly Change[];
  readonly written: StoredEntry | undefined;
}

const createdAtOf = (row: Row): string => row.slice(0, row.indexOf('#'));
const idOf = (row: Row): string => row.slice(row.indexOf('#') + 1);
