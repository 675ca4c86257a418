import { keys, type RecordKind } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import type { ConcurrentEdits, WriterOptions } from './writer-options.ts';

/** Writes the records of one kind that stand under their ids. */
export abstract class PlainWriter<Kind extends RecordKind = RecordKind> {
  protected readonly table: Table;
  protected readonly workspaceId: string;
  protected readonly kind: Kind;
  protected readonly importedAt: string;
  protected readonly concurrentEdits: ConcurrentEdits;

  constructor({ table, workspace, importedAt, concurrentEdits }: WriterOptions, kind: Kind) {
    this.table = table;
    this.workspaceId = workspace.id;
    this.kind = kind;
    this.importedAt = importedAt;
    this.concurrentEdits = concurrentEdits;
  }

  /** The stored items that the document does not name, without those that stay. @param only the attributes to read */
  protected async unnamed(named: { has(id: string): boolean }, only?: readonly string[]): Promise<Item[]> {
    const pk = keys.records(this.workspaceId, this.kind);
    const unnamed: Item[] = [];
    for await (const item of this.table.query({ pk, ...(only && { only }) })) {
      if (named.has(item.sk) || this.concurrentEdits.keeps(this.kind, item, { id: item.sk })) continue;
      unnamed.push(item);
    }
    return unnamed;
  }
}
