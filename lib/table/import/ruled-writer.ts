import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Scheduled } from '#lib/domain/schedule.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { keys, type RecordKind } from '../keys.ts';
import { type Item, Repository, type Table } from '../table.ts';
import { applyChange, ChangeRefused } from '../writer/apply-change.ts';
import type { StorageRules, WrittenKind, WrittenRecord } from '../writer/change.ts';
import type { Stamped } from '../writer/time-stamps.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly workspace: Workspace;
  /** Finds the database of entries: in the document first, then in the table. */
  readonly modelOf: (modelId: string) => Promise<Model | undefined>;
  /** The name of a kind in addresses. */
  readonly addressOf: (kind: string) => string;
  readonly importedAt: string;
  readonly concurrentEdits: ConcurrentEdits;
  /** Whether a new workspace begins with the document. That is no change, so there is no event. */
  readonly isBeginning?: boolean | undefined;
}

export type DocumentKind = RecordKind | 'cmsEntry';

/** Handles records that were edited through the service after the import had looked for edits. */
export interface ConcurrentEdits {
  /**
   * Whether the import leaves a stored record as it is.
   * @param item its item, with `editedAt` if the service made the last change
   * @param imported the document's record; undefined if the import would remove the stored one
   */
  keeps(kind: DocumentKind, item: Item, stored: Identified, imported?: object): boolean;
  /** Tells that records stay although the document lacks them, because others have begun to refer to them. */
  stayInUse(kind: RecordKind, ids: Iterable<string>): void;
}

interface Identified {
  readonly id: string;
  /** The database of an entry. */
  readonly modelId?: string;
}

export type ImportedConversation = Omit<Conversation, 'assignee' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Conversation, 'assignee' | 'createdAt' | 'updatedAt'>>;

/** An entry of a document. The import adds missing time stamps. */
export interface ImportedEntry extends Stamped, Scheduled {
  readonly id: string;
  readonly modelId: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Writes the records of one kind that stand under their ids. */
export abstract class PlainWriter<Kind extends RecordKind = RecordKind> extends Repository {
  protected readonly kind: Kind;
  protected readonly importedAt: string;
  protected readonly concurrentEdits: ConcurrentEdits;
  /** Those of the document's records. */
  protected readonly ids = new Set<string>();

  constructor({ table, workspace, importedAt, concurrentEdits }: WriterOptions, kind: Kind) {
    super(table, { workspaceId: workspace.id });
    this.kind = kind;
    this.importedAt = importedAt;
    this.concurrentEdits = concurrentEdits;
  }

  /** The stored items that the document does not name, without those that stay. */
  protected async *unnamed(): AsyncGenerator<Item> {
    for await (const item of this.table.query({ pk: keys.records(this.workspaceId, this.kind) })) {
      if (this.ids.has(item.sk) || this.concurrentEdits.keeps(this.kind, item, { id: item.sk })) continue;
      yield item;
    }
  }
}

interface RuledKind<Imported> {
  readonly kind: RecordKind & WrittenKind;
  readonly rules: StorageRules<Item | undefined>;
  /** The record to store, from that of the document and the stored one. */
  readonly completed: (imported: Imported, stored: object | undefined) => WrittenRecord;
}

/** Writes records one by one by the rules of the service, each with all that depends on it. */
export class RuledWriter<Imported extends { readonly id: string }> extends PlainWriter {
  readonly #ruled: RuledKind<Imported>;

  constructor(options: WriterOptions, ruled: RuledKind<Imported>) {
    super(options, ruled.kind);
    this.#ruled = ruled;
  }

  /** @returns the number of new or different ones */
  async write(records: readonly Imported[]): Promise<number> {
    for (const { id } of records) this.ids.add(id);
    const changed = await Promise.all(records.map((record) => this.#change(record.id, record)));
    return changed.filter(Boolean).length;
  }

  /** @returns the number of records that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    let removed = 0;
    for await (const { sk } of prune ? this.unnamed() : []) if (await this.#change(sk)) removed++;
    return removed;
  }

  /** @param imported undefined to remove the stored record @returns whether it has changed */
  async #change(id: string, imported?: Imported): Promise<boolean> {
    const { kind, completed, rules } = this.#ruled;
    const decide = async ({ record, item }: { record: object | undefined; item: unknown }) => {
      const stored = record as WrittenRecord | undefined;
      // The service may have changed it in the meantime.
      if (stored && this.concurrentEdits.keeps(kind, item as Item, stored, imported)) return stored;
      return imported ? completed(imported, record) : null;
    };
    const context = { now: this.importedAt, mayMeetImport: true, isImport: true };
    try {
      const { status } = await applyChange(rules, this.table.uncached(), this, { kind, id, decide }, context);
      return status !== 'unchanged';
    } catch (error) {
      // The service has removed it.
      if (error instanceof ChangeRefused && error.reason === 'missing') return false;
      throw error;
    }
  }
}
