import type { ApiKey } from '#lib/domain/access/api-key.ts';
import { operator } from '#lib/domain/access/audit-event.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { auditWrite } from '../access/audit-events.ts';
import { importedCollections } from '../collection/import-announcement.ts';
import { cmsCollection, keys, type RecordKind } from '../keys.ts';
import { readLog } from '../log/read-log.ts';
import { conversationRules, withAssignee } from '../writer/conversation-rules.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import { AccessWriter, type NewSecret } from './access-writer.ts';
import { ColumnWriter } from './column-writer.ts';
import { EntryWriter } from './entry-writer.ts';
import { MenuWriter } from './menu-writer.ts';
import { type ImportedMessage, MessageWriter } from './message-writer.ts';
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

const recordsPerBatch = 100;

/** Writes the records of a checked document, in any order, in batches. There is one writer for each kind. */
export class WorkspaceWriter {
  readonly #options: WriterOptions;
  readonly #schema: SchemaWriter;
  readonly #access: AccessWriter;
  readonly #conversations: RuledWriter<ImportedConversation>;
  readonly #messages: MessageWriter;
  readonly #relations: RelationWriter;
  readonly #file = new RowFile();
  #menu: Promise<MenuWriter> | undefined;
  readonly #records = new Map<RecordKind, RecordWriter>();
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
    this.#access = new AccessWriter(options);
    this.#conversations = new RuledWriter(options, {
      kind: 'conversation',
      rules: conversationRules,
      completed: (record, before) => {
        const stored = before as Conversation | undefined;
        return withTimes(withAssignee(record, stored), stored, options.importedAt);
      },
    });
    this.#messages = new MessageWriter(options);
  }

  /** Frees the temporary file. Call it after the last write, also when that failed. */
  close = (): void => this.#file.close();

  async write(kind: string, record: unknown): Promise<void> {
    this.#kinds.add(kind);
    const batch = kind === 'cmsEntry' ? `cmsEntry ${(record as ImportedEntry).modelId}` : kind;
    const waiting = this.#waiting.get(batch) ?? [];
    this.#waiting.set(batch, waiting);
    waiting.push(record);
    if (waiting.length >= recordsPerBatch) await this.#flush(batch);
  }

  /** Writes the remaining records, and makes all records visible. */
  async finish(prune: boolean): Promise<WriteSummary> {
    for (const batch of this.#waiting.keys()) await this.#flush(batch);
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
    // Before their channels and customers, which stay while conversations refer to them.
    this.#count('conversation', await this.#conversations.finish(pruned('conversation')));
    for (const [kind, writer] of this.#records) this.#count(kind, await writer.finish(pruned(kind)));
    this.#count('message', await this.#messages.finish(pruned('message')));
    const access = await this.#access.finish({ keys: pruned('apiKey'), members: pruned('member') });
    this.#count('apiKey', access.removed.keys);
    this.#count('member', access.removed.members);
    this.#countChanged('apiKey', access.written.keys);
    this.#countChanged('member', access.written.members);
    // Last, so that a workspace exists only when it is complete.
    this.#countChanged('workspace', await this.#schema.writeWorkspace(this.#options.workspace));
    const changed = [...this.#changed.values()].reduce((sum, count) => sum + count, 0);
    if (changed > 0 && !this.#options.isBeginning) await this.#audit();
    return { changed, removed: this.#removed, newSecrets: this.#access.newSecrets };
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
    if (records.length > 0) this.#countChanged(kind, await this.#writeBatch(batch, records));
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
      case 'conversation':
        return this.#conversations.write(records as ImportedConversation[]);
      case 'message':
        return this.#messages.write(records as ImportedMessage[]);
      case 'apiKey':
        this.#access.addKeys(records as ApiKey[]);
        return 0;
      case 'member':
        this.#access.addMembers(records as Member[]);
        return 0;
      default:
        return this.#recordWriter(kind as RecordKind).write(records as (Stamped & { readonly id: string })[]);
    }
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

  #openedMenu(): Promise<MenuWriter> {
    this.#menu ??= openMenu(this.#options, this.#file);
    return this.#menu;
  }

  #recordWriter(kind: RecordKind): RecordWriter {
    const writer = this.#records.get(kind) ?? new RecordWriter(this.#options, kind);
    this.#records.set(kind, writer);
    return writer;
  }
}

async function openMenu(options: WriterOptions, file: RowFile): Promise<MenuWriter> {
  const writer = new MenuWriter(options, file);
  await writer.open();
  return writer;
}

/** The database of a collection of entries. */
const modelIdOf = (collection: string): string | undefined =>
  collection.startsWith(cmsCollection('')) ? collection.slice(cmsCollection('').length) : undefined;
