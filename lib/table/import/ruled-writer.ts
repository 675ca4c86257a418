import type { RecordKind } from '../keys.ts';
import type { Item } from '../table.ts';
import { applyChange } from '../writer/apply-change.ts';
import type { StorageRules, WrittenKind, WrittenRecord } from '../writer/change.ts';
import { ChangeRefused } from '../writer/change-refused.ts';
import { PlainWriter } from './plain-writer.ts';
import type { WriterOptions } from './writer-options.ts';

interface RuledKind<Imported> {
  readonly kind: RecordKind & WrittenKind;
  readonly rules: StorageRules<Item | undefined>;
  /** The record to store, from that of the document and the stored one. */
  readonly completed: (imported: Imported, stored: object | undefined) => WrittenRecord;
}

/** Writes records one by one by the rules of the service, each with all that depends on it. */
export class RuledWriter<Imported extends { readonly id: string }> extends PlainWriter {
  readonly #ids = new Set<string>();
  readonly #ruled: RuledKind<Imported>;

  constructor(options: WriterOptions, ruled: RuledKind<Imported>) {
    super(options, ruled.kind);
    this.#ruled = ruled;
  }

  /** @returns the number of new or different ones */
  async write(records: readonly Imported[]): Promise<number> {
    for (const { id } of records) this.#ids.add(id);
    const changed = await Promise.all(records.map((record) => this.#change(record.id, record)));
    return changed.filter(Boolean).length;
  }

  /** @returns the number of records that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    let removed = 0;
    for (const { sk } of prune ? await this.unnamed(this.#ids, ['pk', 'sk', 'editedAt']) : []) {
      if (await this.#change(sk)) removed++;
    }
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
    const scope = { workspaceId: this.workspaceId };
    const context = { now: this.importedAt, mayMeetImport: true, isImport: true };
    try {
      const { status } = await applyChange(rules, this.table.uncached(), scope, { kind, id, decide }, context);
      return status !== 'unchanged';
    } catch (error) {
      // The service has removed it.
      if (error instanceof ChangeRefused && error.reason === 'missing') return false;
      throw error;
    }
  }
}
