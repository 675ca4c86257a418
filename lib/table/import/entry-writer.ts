import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms-model.ts';
import { ownValue } from '#lib/domain/cms-values.ts';
import { chunkRows, type IndexScope, partItem, type Row, readDirectory, readRows } from '../collection-index.ts';
import { resumeEntriesVersion, suspendEntriesVersion } from '../entries-version.ts';
import { cmsCollection, cmsEntrySortKey, keys } from '../keys.ts';
import type { StoredEntry } from '../stored-entry.ts';
import type { Table } from '../table.ts';
import type { Change } from '../write-all.ts';
import { IndexWriter } from './index-writer.ts';
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
  readonly #scope: IndexScope;
  readonly #index: IndexWriter;
  /** The rows of the index by entry id: as they were when the import began, and those of the document's entries. */
  readonly #before = new Map<string, Row>();
  readonly #named = new Map<string, Row>();
  #isSuspended = false;

  constructor({ table, workspaceId, modelId, importedAt, relations }: EntryWriterOptions) {
    this.#table = table;
    this.#workspaceId = workspaceId;
    this.#modelId = modelId;
    this.#importedAt = importedAt;
    this.#relations = relations;
    this.#scope = { workspaceId, collection: cmsCollection(modelId) };
    this.#index = new IndexWriter(table, this.#scope);
  }

  async open(): Promise<void> {
    const head = await this.#index.open();
    if (!head) return;
    const table = this.#table.fresh();
    const directory = await readDirectory(table, this.#scope, head);
    this.#index.knowParts([head.directory, ...directory.map(([partId]) => partId)]);
    for (const row of await readRows(table, this.#scope, directory, 0, head.total)) this.#before.set(idOf(row), row);
  }

  /** @returns how many of them were new or different */
  async write(entries: readonly ImportedEntry[], model: Model): Promise<number> {
    const reads = this.#table.fresh();
    const changes = await Promise.all(
      entries.map(async (entry) => {
        const before = this.#before.get(entry.id);
        const stored = before === undefined ? undefined : await reads.get(this.#key(before));
        return this.#changes(entry, stored as StoredEntry | undefined, model);
      }),
    );
    const flat = changes.flat();
    if (flat.length > 0) await this.#markUnfinished();
    await this.#table.write(flat);
    return changes.filter(({ length }) => length > 0).length;
  }

  /** @returns how many entries were removed because the document does not name them */
  async finish(prune: boolean): Promise<number> {
    const unnamed = [...this.#before].filter(([id]) => !this.#named.has(id));
    const gone = prune ? unnamed : [];
    const moved = [...this.#named].filter(([id, row]) => (this.#before.get(id) ?? row) !== row);
    if (gone.length > 0 || moved.length > 0) await this.#markUnfinished();
    if (!this.#index.unfinished) return 0;
    await this.#suspendVersion();
    await this.#replaceIndex([...this.#named.values(), ...(prune ? [] : unnamed.map(([, row]) => row))].sort());
    await this.#table.write(moved.map(([id, row]) => this.#place(id, row)));
    const left = [...moved.map(([id]) => this.#before.get(id) ?? ''), ...gone.map(([, row]) => row)];
    await this.#table.write(left.map((row) => ({ remove: this.#key(row) })));
    await this.#table.write(gone.map(([id]) => ({ remove: keys.cmsEntryPlace(this.#workspaceId, this.#modelId, id) })));
    if (this.#index.foundUnfinished) await this.#discardStrays(prune);
    await resumeEntriesVersion(this.#table, this.#workspaceId, this.#modelId);
    await this.#index.finish();
    this.#relations.entriesRemoved(
      this.#modelId,
      gone.map(([id]) => id),
    );
    return gone.length;
  }

  /** Called after `finish` when the database is to go, and has no entries any more. */
  async removeIndex(): Promise<void> {
    await this.#index.remove();
    await this.#table.write([{ remove: keys.entriesVersion(this.#workspaceId, this.#modelId) }]);
  }

  #changes(entry: ImportedEntry, stored: StoredEntry | undefined, model: Model): Change[] {
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
    if (stored && isDeepStrictEqual(content, storedContent(stored, model))) return [];
    const written: StoredEntry = { ...content, revision: randomUUID() };
    this.#relations.entryWritten(model, written);
    const put = { put: written };
    return before === undefined ? [put, this.#place(entry.id, row)] : [put];
  }

  async #markUnfinished(): Promise<void> {
    await this.#relations.markUnfinished();
    await this.#index.markUnfinished();
    await this.#suspendVersion();
  }

  /** After the index is marked, so that whoever goes on with a stopped import knows that it has to be resumed. */
  async #suspendVersion(): Promise<void> {
    if (!this.#isSuspended) await suspendEntriesVersion(this.#table, this.#workspaceId, this.#modelId);
    this.#isSuspended = true;
  }

  async #replaceIndex(rows: readonly string[]): Promise<void> {
    const { parts, directory } = chunkRows(this.#scope, rows);
    const last = partItem(this.#scope, directory);
    await this.#index.replace([...parts, last], { directory: last.partId, total: rows.length });
  }

  /** What an import that was stopped half-way has left: it is in no index, so nobody has counted on it. */
  async #discardStrays(prune: boolean): Promise<void> {
    const rowOf = (id: string) => this.#named.get(id) ?? (prune ? undefined : this.#before.get(id));
    const strays: Change[] = [];
    const entries = { pk: keys.cmsEntries(this.#workspaceId, this.#modelId), only: ['pk', 'sk'] };
    for await (const item of this.#table.query(entries)) {
      if (rowOf(idOf(item.sk)) !== item.sk) strays.push({ remove: item });
    }
    for await (const item of this.#table.query({ pk: keys.cmsEntryPlaces(this.#workspaceId, this.#modelId) })) {
      const row = rowOf(item.sk);
      if (row === undefined) strays.push({ remove: item });
      else if (createdAtOf(row) !== item['createdAt']) strays.push(this.#place(item.sk, row));
    }
    await this.#table.write(strays);
  }

  #key = (row: Row) => ({ pk: keys.cmsEntries(this.#workspaceId, this.#modelId), sk: row });

  #place = (id: string, row: Row): Change => ({
    put: { ...keys.cmsEntryPlace(this.#workspaceId, this.#modelId, id), createdAt: createdAtOf(row) },
  });
}

const createdAtOf = (row: Row): string => row.slice(0, row.indexOf('#'));
const idOf = (row: Row): string => row.slice(row.indexOf('#') + 1);

/** A field that the database has got since the entry was written counts as one without a value. */
function storedContent({ revision, editedAt, ...content }: StoredEntry, model: Model): object {
  return { ...content, values: { ...storedValues({}, model), ...content.values } };
}

/** Every localized field is stored as an object, so that an update finds a parent for its languages. */
function storedValues(values: Readonly<Record<string, unknown>>, { fields }: Model): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ key, localized }) => [key, ownValue(values, key) ?? (localized ? {} : null)] as const),
  );
}
