import { hashOfRecord, type MenuRow } from '#lib/domain/menu/menu-row.ts';
import type { Scheduled, ScheduleMember } from '#lib/domain/schedule.ts';
import { scheduleItems } from '../due/schedule-writes.ts';
import { putAll, removeAll } from '../dynamodb/write-all.ts';
import { keys, type MenuKind } from '../keys.ts';
import { positionOf } from '../menu/menu-index.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { endMarks } from '../writer/removal.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import type { FiledRows, RowFile } from './row-file.ts';
import type { ConcurrentEdits } from './writer-options.ts';

interface MenuRecord extends Stamped, Partial<Pick<Scheduled, ScheduleMember>> {
  readonly id: string;
  readonly slug: string;
}

export interface MenuRecordOptions<Stored, Row> {
  readonly table: Table;
  readonly workspaceId: string;
  readonly kind: MenuKind;
  readonly importedAt: string;
  readonly concurrentEdits: ConcurrentEdits;
  readonly file: RowFile;
  readonly rowOf: (record: Stored, hash: string) => Row;
  /** Called before every change. @returns whether other writers may have changed records since they were read */
  readonly beforeWriting: () => Promise<boolean>;
}

interface RecordWrites {
  /** The version that lists show until the index was replaced, for its own key. */
  readonly former?: Item;
  /** The due items of its times. They are stored first, so that no crash leaves a time without its item. */
  readonly due?: readonly Item[];
  readonly put: readonly Item[];
  readonly isNew?: boolean;
}

/** The rows of the index after the import. */
type RowsById<Row> = (id: string) => Row | undefined;

/** Writes the records of one menu kind, and makes the rows of the index. */
export class MenuRecordWriter<Stored extends MenuRecord, Row extends MenuRow> {
  readonly #options: MenuRecordOptions<Stored, Row>;
  /** The rows of the menu before the import by id, and those of the document's records. */
  #before: FiledRows<Row>;
  readonly #named: FiledRows<Row>;
  /** The id of the last swap of the menu. */
  #menu: string | undefined;

  constructor(options: MenuRecordOptions<Stored, Row>) {
    this.#options = options;
    this.#before = options.file.rows();
    this.#named = options.file.rows();
  }

  /** @param rows of the menu before the import */
  async open(rows: AsyncIterable<Row> | Iterable<Row>): Promise<void> {
    this.#before = this.#options.file.rows();
    for await (const row of rows) this.#before.set(row.id, row);
  }

  /** Undoes what an interrupted import has changed and no list shows, so that rows and records agree. */
  async restore(menu: string | undefined): Promise<void> {
    this.#menu = menu;
    const { table, workspaceId, kind } = this.#options;
    for await (const former of table.query({ pk: keys.formerRecords(workspaceId, kind) })) {
      const key = keys.record(workspaceId, kind, former.sk);
      const stored = await table.uncached().get(key);
      // The service has written a record with a revision since.
      if (stored && stored['revision'] === undefined && stored['menu'] === menu) await table.put({ ...former, ...key });
    }
  }

  /** @returns the number of new or different records */
  async write(records: readonly MenuRecord[]): Promise<number> {
    const { table, workspaceId, kind, beforeWriting } = this.#options;
    let changes = await this.#writesFor(records);
    if (changes.some(({ put }) => put.length > 0) && (await beforeWriting())) changes = await this.#writesFor(records);
    const missing = changes.flatMap(({ isNew, put: [record] }) => (isNew && record ? record.sk : []));
    await endMarks(table, workspaceId, kind, missing);
    await putAll(
      table,
      changes.flatMap(({ former, due = [] }) => [...(former ? [former] : []), ...due]),
    );
    await putAll(
      table,
      changes.flatMap(({ put }) => put),
    );
    return changes.filter(({ put }) => put.length > 0).length;
  }

  /** The writes for each record. */
  #writesFor(records: readonly MenuRecord[]): Promise<RecordWrites[]> {
    const { table, workspaceId, kind } = this.#options;
    const reads = table.uncached();
    return Promise.all(
      records.map(async (record) => {
        const [stored, pointer] = await Promise.all([
          reads.get(keys.record(workspaceId, kind, record.id)),
          reads.get(keys.slug(workspaceId, kind, record.slug)),
        ]);
        return this.#changes(record, stored, pointer?.['id'] === record.id);
      }),
    );
  }

  /** The rows of the index after the import, in list order. */
  rowsAfter(prune: boolean): { readonly count: number; readonly rows: Iterable<Row> } {
    const ids = [...this.#named.keys(), ...(prune ? [] : this.unnamed())];
    const positioned = ids.map((id) => [positionOf(this.#rowOf(id) as Row), id] as const);
    positioned.sort(([a], [b]) => (a < b ? -1 : 1));
    return { count: ids.length, rows: positioned.values().map(([, id]) => this.#rowOf(id) as Row) };
  }

  /** Whether the rows of the index after the import differ from the current ones. */
  isChanged(prune: boolean): boolean {
    const differs = (id: string) => this.#named.text(id) !== this.#before.text(id);
    return (prune && this.unnamed().length > 0) || Iterator.from(this.#named.keys()).some(differs);
  }

  /** The stored records that the document does not name. */
  unnamed = (): string[] => [...this.#before.keys()].filter((id) => !this.#named.has(id));

  /** Lets a stored record stay that the document does not name. */
  keep(id: string): void {
    const row = this.#before.get(id);
    if (row) this.#named.set(id, row);
  }

  #rowOf = (id: string): Row | undefined => this.#named.get(id) ?? this.#before.get(id);

  /**
   * Removes the former versions, and the records that the index no longer contains. Call it after the index was
   * replaced.
   * @param all whether to remove remains of an interrupted import, too
   * @returns the number of removed records
   */
  async settle({ prune, all }: { readonly prune: boolean; readonly all: boolean }): Promise<number> {
    const gone = new Set(prune ? this.unnamed() : []);
    const after = (id: string): Row | undefined => (gone.has(id) ? undefined : this.#rowOf(id));
    const { table, workspaceId, kind } = this.#options;
    await removeAll(
      table,
      await Array.fromAsync(table.query({ pk: keys.formerRecords(workspaceId, kind), only: ['pk', 'sk'] })),
    );
    await removeAll(
      table,
      [...gone].map((id) => keys.record(workspaceId, kind, id)),
    );
    await this.#removePointers(after);
    if (all) await this.#removeStrays(after);
    // Those of an interrupted removal.
    if (all) await endMarks(table, workspaceId, kind, [...this.#named.keys(), ...(prune ? [] : this.unnamed())]);
    return gone.size;
  }

  #changes(record: MenuRecord, stored: Item | undefined, pointed: boolean): RecordWrites {
    const { workspaceId, kind, importedAt, concurrentEdits, rowOf } = this.#options;
    const before = stored && (JSON.parse(String(stored['record'])) as Stored);
    const complete = withTimes(record, before, importedAt) as unknown as Stored;
    const text = JSON.stringify(complete);
    const hash = hashOfRecord(text);
    this.#named.set(record.id, rowOf(complete, hash));
    if (stored?.['record'] === text && pointed) return { put: [] };
    const kept = before && this.#before.get(record.id);
    if (kept && concurrentEdits.keeps(kind, stored, before, complete)) {
      this.#named.set(record.id, kept);
      return { put: [] };
    }
    const isShown = stored?.['hash'] === this.#before.get(record.id)?.hash && stored?.['hash'] !== hash;
    return {
      isNew: !stored,
      ...(isShown && stored && { former: { ...stored, ...keys.formerRecord(workspaceId, kind, record.id) } }),
      // A category has no times.
      due: scheduleItems(workspaceId, { ...complete, kind: 'menuProduct' }),
      put: [
        { ...keys.record(workspaceId, kind, record.id), record: text, hash, menu: this.#menu },
        { ...keys.slug(workspaceId, kind, record.slug), id: record.id },
      ],
    };
  }

  async #removePointers(after: RowsById<Row>): Promise<void> {
    const { table, workspaceId, kind } = this.#options;
    const stale: Item[] = [];
    for await (const item of table.query({ pk: keys.slugs(workspaceId, kind) })) {
      if (after(String(item['id']))?.slug !== item.sk) stale.push(item);
    }
    await removeAll(table, stale);
  }

  async #removeStrays(after: RowsById<Row>): Promise<void> {
    const { table, workspaceId, kind } = this.#options;
    const strays: Item[] = [];
    for await (const item of table.query({ pk: keys.records(workspaceId, kind), only: ['pk', 'sk'] })) {
      if (!after(item.sk)) strays.push(item);
    }
    await removeAll(table, strays);
  }
}
