import { operator } from '#lib/domain/access/audit-event.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { auditWrite } from '../access/audit-events.ts';
import { importedCollections } from '../collection/import-announcement.ts';
import { cmsCollection, keys, type RecordKind } from '../keys.ts';
import { readLog } from '../log/read-log.ts';
import { conversationRules, withAssignee } from '../writer/conversation-rules.ts';
import { memberRules } from '../writer/member-rules.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import { ColumnWriter } from './column-writer.ts';
import { EntryWriter } from './entry-writer.ts';
import { KeyWriter, type NewSecret } from './key-writer.ts';
import { MenuWriter } from './menu-writer.ts';
import { MessageWriter } from './message-writer.ts';
import { RecordWriter } from './record-writer.ts';
import { RelationWriter } from './relation-writer.ts';
import { RowFile } from './row-file.ts';
import {
  type DocumentKind,
  type ImportedConversation,
  type ImportedEntry,
  RuledWriter,
  type WriterOptions,
} from './ruled-writer.ts';
import { SchemaWriter } from './schema-writer.ts';

export type Removed = Readonly<Partial<Record<DocumentKind, number>>>;

export interface WriteSummary {
  /** The number of new, different and removed records. */
  readonly changed: number;
  /** The number of removed records of each kind that has some. */
  readonly removed: Removed;
  readonly newSecrets: readonly NewSecret[];
}

interface KindWriter {
  /** @returns the number of new or different records */
  write(records: readonly never[]): Promise<number>;
  /** @param prune whether to remove the records that the document does not contain @returns their number */
  finish(prune: boolean): Promise<number>;
}

const recordsPerBatch = 100;

/** Written last: they let callers in. */
const accessKinds = ['member', 'apiKey'] as const;
const isAccess = (kind: string): boolean => (accessKinds as readonly string[]).includes(kind);

/** Writes the records of a checked document, in any order, in batches. There is one writer for each kind. */
export class WorkspaceWriter {
  readonly #options: WriterOptions;
  readonly #schema: SchemaWriter;
  readonly #keys: KeyWriter;
  readonly #relations: RelationWriter;
  readonly #file = new RowFile();
  #menu: Promise<MenuWriter> | undefined;
  /** The writers of the kinds whose records have no list with an index. */
  readonly #writers: Map<RecordKind, KindWriter>;
  readonly #entries = new Map<string, EntryWriter>();
  readonly #waiting = new Map<string, unknown[]>();
  readonly #kinds = new Set<string>();
  readonly #removed: Partial<Record<DocumentKind, number>> = {};
  /** The number of changed records of each kind that has some. */
  readonly #changed = new Map<string, number>();

  constructor(options: WriterOptions) {
    const { table, workspace } = options;
    this.#options = options;
    const scope = { workspaceId: workspace.id };
    this.#relations = new RelationWriter(table, scope, this.#file);
    // While products show relations of the former schema, their version is invalid.
    this.#schema = new SchemaWriter(table, scope, () => this.#relations.announce());
    this.#keys = new KeyWriter(options);
    const conversations = new RuledWriter<ImportedConversation>(options, {
      kind: 'conversation',
      rules: conversationRules,
      completed: (record, before) => {
        const stored = before as Conversation | undefined;
        return withTimes(withAssignee(record, stored), stored, options.importedAt);
      },
    });
    // Before their channels and customers, which stay while conversations refer to them.
    this.#writers = new Map([['conversation', conversations]]);
  }

  /** Frees the temporary file. Call it after the last write, also when that failed. */
  close = (): void => this.#file.close();

  async write(kind: string, record: unknown): Promise<void> {
    this.#kinds.add(kind);
    const batch = kind === 'cmsEntry' ? `cmsEntry ${(record as ImportedEntry).modelId}` : kind;
    const waiting = this.#waiting.get(batch) ?? [];
    this.#waiting.set(batch, waiting);
    waiting.push(record);
    if (waiting.length >= recordsPerBatch && !isAccess(kind)) await this.#flush(batch);
  }

  /** Writes the remaining records, and makes all records visible. */
  async finish(prune: boolean): Promise<WriteSummary> {
    for (const batch of this.#waiting.keys()) if (!isAccess(batch)) await this.#flush(batch);
    const pruned = (kind: string): boolean => prune && this.#kinds.has(kind);
    if (pruned('cmsModel')) this.#count('cmsModel', await this.#schema.prune());
    await this.#schema.publish(this.#options.workspace);
    await this.#finishEntries(pruned('cmsEntry'));
    const gone = await (await this.#openedMenu()).finish({
      products: pruned('menuProduct'),
      categories: pruned('menuCategory'),
    });
    this.#count('menuProduct', gone.products);
    this.#count('menuCategory', gone.categories);
    this.#menu = undefined;
    await this.#relations.finish();
    // A key copies its member.
    for (const kind of accessKinds) await this.#flush(kind);
    for (const [kind, writer] of this.#writers) this.#count(kind, await writer.finish(pruned(kind)));
    // Last, so that a workspace exists only when it is complete.
    this.#countChanged('workspace', await this.#schema.writeWorkspace(this.#options.workspace));
    const changed = [...this.#changed.values()].reduce((sum, count) => sum + count, 0);
    if (changed > 0 && !this.#options.isBeginning) await this.#audit();
    return { changed, removed: this.#removed, newSecrets: this.#keys.newSecrets };
  }

  #count(kind: DocumentKind, removed: number): void {
    this.#countChanged(kind, removed);
    if (removed > 0) this.#removed[kind] = (this.#removed[kind] ?? 0) + removed;
  }

  #countChanged(kind: string, count: number): void {
    if (count > 0) this.#changed.set(kind, (this.#changed.get(kind) ?? 0) + count);
  }

  /** Records one event for the whole document. */
  #audit(): Promise<void> {
    const { table, workspace, addressOf } = this.#options;
    const change = { action: 'import', recordKind: 'workspace', recordId: workspace.id, changed: [] } as const;
    const happened = { changedKinds: [...this.#changed.keys()].map(addressOf).sort() };
    return repeatTransaction(
      table,
      auditWrite({ workspaceId: workspace.id }, { actor: operator, ...change, requestId: null, happened }),
    );
  }

  /**
   * Pruning also covers databases without entries in the document. A removed database takes its entries with it. Lists
   * that an interrupted import has left are finished too, whatever this document names.
   */
  async #finishEntries(prune: boolean): Promise<void> {
    const { table, workspace } = this.#options;
    const models = table.query({ pk: keys.records(workspace.id, 'cmsModel'), only: ['pk', 'sk'] });
    const stored = new Set(await Array.fromAsync(models, ({ sk }) => sk));
    const { state } = await readLog(table.uncached(), { workspaceId: workspace.id });
    const interrupted = new Set(importedCollections(state).flatMap((collection) => modelIdOf(collection) ?? []));
    const gone = new Set([...interrupted].filter((modelId) => !stored.has(modelId)));
    for (const modelId of new Set([...(prune ? stored : []), ...interrupted])) await this.#entryWriter(modelId);
    for (const [modelId, writer] of this.#entries) {
      const isGone = gone.has(modelId);
      this.#count('cmsEntry', await writer.finish(prune || isGone, isGone));
      // Its rows are no longer needed, and the next lists need memory.
      this.#entries.delete(modelId);
    }
  }

  async #flush(batch: string): Promise<void> {
    const records = this.#waiting.get(batch) ?? [];
    this.#waiting.set(batch, []);
    const [kind = ''] = batch.split(' ');
    for await (const some of inGroups(records, recordsPerBatch)) {
      this.#countChanged(kind, await this.#writeBatch(batch, some));
    }
  }

  async #writeBatch(batch: string, records: unknown[]): Promise<number> {
    const [kind = '', modelId = ''] = batch.split(' ');
    switch (kind) {
      case 'workspace':
        return 0;
      case 'menuProduct':
        return (await this.#openedMenu()).products.write(records as (MenuProduct & Stamped)[]);
      case 'menuCategory':
        return (await this.#openedMenu()).categories.write(records as (MenuCategory & Stamped)[]);
      case 'cmsModel':
        return this.#schema.writeModels(records as Model[]);
      case 'cmsEntry':
        return this.#writeEntries(modelId, records as ImportedEntry[]);
      default:
        return this.#writerOf(kind as RecordKind).write(records as never[]);
    }
  }

  #writerOf(kind: RecordKind): KindWriter {
    const writer = this.#writers.get(kind) ?? this.#newWriter(kind);
    this.#writers.set(kind, writer);
    return writer;
  }

  #newWriter(kind: RecordKind): KindWriter {
    if (kind === 'apiKey') return this.#keys;
    if (kind === 'message') return new MessageWriter(this.#options);
    if (kind !== 'member') return new RecordWriter(this.#options, kind);
    return new RuledWriter<Member>(this.#options, { kind, rules: memberRules, completed: (member) => member });
  }

  async #writeEntries(modelId: string, entries: ImportedEntry[]): Promise<number> {
    const model = await this.#options.modelOf(modelId);
    if (!model) throw new Error('The document was checked, so the database of every entry is known.');
    return (await this.#entryWriter(modelId)).write(entries, model);
  }

  async #entryWriter(modelId: string): Promise<EntryWriter> {
    const { table, workspace } = this.#options;
    const existing = this.#entries.get(modelId);
    if (existing) return existing;
    const columns = new ColumnWriter(table, { workspaceId: workspace.id }, this.#file);
    const writer = new EntryWriter({ ...this.#options, modelId, relations: this.#relations, columns });
    this.#entries.set(modelId, writer);
    await writer.open();
    return writer;
  }

  #openedMenu = (): Promise<MenuWriter> => (this.#menu ??= new MenuWriter(this.#options, this.#file).open());
}

/** The database of a collection of entries. */
const modelIdOf = (collection: string): string | undefined =>
  collection.startsWith(cmsCollection('')) ? collection.slice(cmsCollection('').length) : undefined;
