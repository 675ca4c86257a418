import { isDeepStrictEqual } from 'node:util';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { entryListScope, readEntryList } from '../cms/entry-list.ts';
import { storeEntryList } from '../cms/entry-list-parts.ts';
import { createdAtOf, idOf, type Row, rowOf, sortKeyOf } from '../cms/entry-row.ts';
import { type StoredEntry, storedContent, storedValues } from '../cms/stored-entry.ts';
import type { CollectionScope } from '../collection/head.ts';
import { ImportAnnouncement } from '../collection/import-announcement.ts';
import { scheduleItems } from '../due/schedule-writes.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { isMade } from '../dynamodb/is-made.ts';
import { putAll, removeAll, removeWhere } from '../dynamodb/write-all.ts';
import { ConditionFailed } from '../errors.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import { newChangeId } from '../log/change-log.ts';
import { type Item, Repository } from '../table.ts';
import { repeatWrite } from '../writer/repeat-write.ts';
import { withTimes } from '../writer/time-stamps.ts';
import type { ColumnWriter } from './column-writer.ts';
import { ImportedRows } from './imported-rows.ts';
import type { RelationWriter } from './relation-writer.ts';
import type { ImportedEntry, WriterOptions } from './ruled-writer.ts';

export interface EntryWriterOptions extends WriterOptions {
  readonly modelId: string;
  /** Called for every entry that is written or removed. */
  readonly relations: RelationWriter;
  readonly columns: ColumnWriter;
}

/**
 * Writes the entries of one CMS database. New entries come first, then the index in one step. Last, it removes the
 * entries that the new index lacks. Readers see the old list or the new one, never a mixture.
 */
export class EntryWriter extends Repository {
  readonly #modelId: string;
  readonly #options: EntryWriterOptions;
  readonly #scope: CollectionScope;
  readonly #announcement: ImportAnnouncement;
  /** The next revision of each entry that stays published until the new index lists it as a draft, by id. */
  readonly #unpublished = new Map<string, string>();
  readonly #rows = new ImportedRows<Row>(() => new Map());

  constructor(options: EntryWriterOptions) {
    const { table, workspace, modelId } = options;
    super(table, { workspaceId: workspace.id });
    this.#options = options;
    this.#modelId = modelId;
    this.#scope = entryListScope(this, modelId);
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
    await putAll(this.table, changes.flatMap(this.#dueItems));
    const added = changes.flatMap(({ put, replaced }) => (replaced ? [] : put));
    await putAll(this.table, added);
    const done: EntryChange[] = [];
    for await (const some of inGroups(changes, callsAtOnce)) {
      done.push(...(await Promise.all(some.map((change) => this.#replace(change, model)))));
    }
    changes = done;
    const written = changes.flatMap((change) => change.written ?? []);
    this.#options.columns.entriesWritten(model, written);
    for (const { written, isUnpublished } of changes) {
      if (written) this.#options.relations.entryWritten(model, written);
      if (written && isUnpublished) this.#unpublished.set(written.id, written.revision);
    }
    return changes.filter(({ put }) => put.length > 0).length;
  }

  /**
   * Carries out a change that replaces an entry, on condition that the stored one has not changed. A batch of writes can
   * have no conditions.
   * @returns the change as it was carried out @throws Unavailable if the entry keeps changing
   */
  async #replace(change: EntryChange, model: Model): Promise<EntryChange> {
    let current = change;
    // The service may change an entry between its read and its write.
    const replaced = await repeatWrite<EntryChange, EntryChange>(this.table, {
      prepare: () => current,
      write: async (attempted) => {
        const [write] = attempted.put;
        if (!write || !attempted.replaced) return attempted;
        try {
          await this.table.put(write, isStill('revision', attempted.replaced.revision));
          return attempted;
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
          // The client repeats a write whose reply was lost. The retry then finds the written item.
          if (error.item?.['revision'] === write['revision']) return attempted;
          current = this.#changeOf(change.entry, error.item as StoredEntry | undefined, model);
          return 'changed';
        }
      },
    });
    if (!replaced.replaced && replaced !== change) await putAll(this.table, replaced.put);
    return replaced;
  }

  /** They are stored before their entry, so that no crash leaves a time without its item. */
  #dueItems = ({ put, written }: EntryChange): Item[] =>
    written && put.length > 0 ? scheduleItems(this.workspaceId, { kind: 'cmsEntry', ...written }) : [];

  /**
   * @param prune whether to remove the entries that the document does not contain
   * @param isGone whether the database was removed, and its list is to go, too
   * @returns the number of removed entries
   */
  async finish(prune: boolean, isGone: boolean): Promise<number> {
    if (prune && this.#rows.unnamed().length > 0) await this.#announce();
    if (!this.#announcement.isUnfinished) return 0;
    await this.#announce();
    const gone = prune ? this.#rows.unnamed() : [];
    if (isGone) await this.#announcement.removeCollection();
    else await this.#swapBase(this.#rows.idsAfter(prune).map(this.#rowOf).sort());
    await this.#unpublish();
    const goneKeys = gone.map((id) => this.#key(this.#rowOf(id)));
    await removeAll(this.table, goneKeys);
    await removeAll(this.table, gone.map(this.#pointerKey));
    if (this.#announcement.foundUnfinished) await this.#discardStrays(new Set(this.#rows.idsAfter(prune)));
    await this.#announcement.finish();
    this.#options.relations.entriesRemoved(this.#modelId, gone);
    return gone.length;
  }

  async #writesFor(entries: readonly ImportedEntry[], model: Model): Promise<EntryChange[]> {
    const reads = this.table.uncached();
    return Promise.all(
      entries.map(async (entry) => {
        const before = this.#rows.before(entry.id);
        const stored = before === undefined ? undefined : await reads.get(this.#key(before));
        return this.#changeOf(entry, stored as StoredEntry | undefined, model);
      }),
    );
  }

  #changeOf(entry: ImportedEntry, stored: StoredEntry | undefined, model: Model): EntryChange {
    const before = this.#rows.before(entry.id);
    const times = stored ?? (before === undefined ? undefined : { createdAt: createdAtOf(before) });
    const given = withTimes(entry, times, this.#options.importedAt);
    const { createdAt = '', updatedAt = '', published } = given;
    const row = rowOf({ sk: cmsEntrySortKey(createdAt, entry.id), published });
    this.#rows.name(entry.id, row);
    const content = {
      ...this.#key(row),
      ...{ ...given, createdAt, updatedAt },
      values: storedValues(entry.values, model),
    };
    if (stored && isDeepStrictEqual(content, storedContent(stored, model))) return { entry, put: [] };
    if (stored && before !== undefined && this.#options.concurrentEdits.keeps('cmsEntry', stored, stored, entry)) {
      this.#rows.name(entry.id);
      return { entry, put: [], written: stored };
    }
    const written = { ...content, revision: newChangeId() };
    if (before === undefined) {
      const pointer = { ...this.#pointerKey(entry.id), createdAt };
      return { entry, put: [written, pointer], written };
    }
    if (published || !stored?.published) return { entry, put: [written], written, replaced: stored };
    const put = { ...written, published: true, revision: newChangeId() };
    return { entry, put: [put], written, isUnpublished: true, replaced: stored };
  }

  /** @returns whether this call announced the import */
  async #announce(): Promise<boolean> {
    await this.#options.relations.announce();
    const isFirst = await this.#announcement.announce();
    if (isFirst) await this.#readRows();
    return isFirst;
  }

  async #readRows(): Promise<void> {
    const rows = await (await this.#readList()).rows();
    await this.#rows.open(rows.values().map((row) => [idOf(row), row] as const));
  }

  #rowOf = (id: string): Row => this.#rows.after(id) ?? '';

  #readList = () => readEntryList(this.table.uncached(), this, this.#modelId);

  /** Unpublished entries become drafts only after the new index, so that no list lacks an entry of its total. */
  async #unpublish(): Promise<void> {
    for await (const some of inGroups(this.#unpublished, callsAtOnce)) {
      await Promise.all(
        some.map(([id, revision]) => {
          const update = {
            UpdateExpression: 'SET published = :published, revision = :revision',
            ExpressionAttributeValues: { ':published': false, ':revision': revision },
            ConditionExpression: 'attribute_exists(pk)',
            ReturnValues: 'NONE' as const,
          };
          // One that is gone needs no update.
          return isMade(this.table.update(this.#key(this.#rowOf(id)), update));
        }),
      );
    }
  }

  /** Removes items of an interrupted import. No index contains them, so no reader has seen them. */
  async #discardStrays(listed: ReadonlySet<string>): Promise<void> {
    const range = { pk: keys.cmsEntries(this.workspaceId, this.#modelId), only: ['pk', 'sk'] };
    await removeWhere(this.table, range, ({ sk }) => !listed.has(idOf(sk)) || sortKeyOf(this.#rowOf(idOf(sk))) !== sk);
    const pointers = { pk: keys.cmsEntryPointers(this.workspaceId, this.#modelId) };
    await removeWhere(this.table, pointers, ({ sk }) => !listed.has(sk));
  }

  async #swapBase(rows: readonly Row[]): Promise<void> {
    const { state } = await this.#readList();
    const content = await storeEntryList(this.table, this.#scope, rows, state.base);
    const columns = await this.#options.columns.next(rows, !this.#announcement.foundUnfinished);
    const next = { content: { ...content, ...(columns && { columns }) }, fields: { total: rows.length } };
    await this.#announcement.swapBase(state.head, next);
  }

  #key = (row: Row) => ({
    pk: keys.cmsEntries(this.workspaceId, this.#modelId),
    sk: sortKeyOf(row),
  });

  #pointerKey = (id: string) => keys.cmsEntryPointer(this.workspaceId, this.#modelId, id);
}

const callsAtOnce = 25;

/** The writes that bring an entry to the document's state. */
interface EntryChange {
  readonly entry: ImportedEntry;
  readonly put: readonly Item[];
  /** The stored version that the write replaces. */
  readonly replaced?: StoredEntry | undefined;
  /** The entry after the import; undefined if it has not changed. */
  readonly written?: StoredEntry;
  readonly isUnpublished?: true;
}
