import { hashOfRecord, type MenuRow } from '#lib/domain/menu/menu-row.ts';
import type { Scheduled, ScheduleMember } from '#lib/domain/schedule.ts';
import { scheduleItems } from '../due/schedule-writes.ts';
import { putAll, removeAll, removeWhere } from '../dynamodb/write-all.ts';
import { keys, type MenuKind } from '../keys.ts';
import { positionOf } from '../menu/menu-index.ts';
import type { Item } from '../table.ts';
import { endMarks } from '../writer/removal.ts';
import { type Stamped, withTimes } from '../writer/time-stamps.ts';
import { ImportedRows } from './imported-rows.ts';
import type { RowFile } from './row-file.ts';
import { PlainWriter, type WriterOptions } from './ruled-writer.ts';

interface MenuRecord extends Stamped, Partial<Pick<Scheduled, ScheduleMember>> {
  readonly id: string;
  readonly slug: string;
}

interface MenuRecordOptions<Stored, Row> {
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

/** Writes the records of one menu kind, and makes the rows of the index. */
export class MenuRecordWriter<Stored extends MenuRecord, Row extends MenuRow> extends PlainWriter<MenuKind> {
  readonly #options: MenuRecordOptions<Stored, Row>;
  readonly rows: ImportedRows<Row>;
  /** The id of the last swap of the menu. */
  #menu: string | undefined;

  constructor(options: WriterOptions, kind: MenuKind, menuOptions: MenuRecordOptions<Stored, Row>) {
    super(options, kind);
    this.#options = menuOptions;
    this.rows = new ImportedRows(() => menuOptions.file.rows<Row>());
  }

  /** @param rows of the menu before the import */
  open(rows: AsyncIterable<Row>): Promise<void> {
    const byId = async function* () {
      for await (const row of rows) yield [row.id, row] as const;
    };
    return this.rows.open(byId());
  }

  /** Undoes what an interrupted import has changed and no list shows, so that rows and records agree. */
  async restore(menu: string | undefined): Promise<void> {
    this.#menu = menu;
    const { table, workspaceId, kind } = this;
    for await (const former of table.query({ pk: keys.formerRecords(workspaceId, kind) })) {
      const key = keys.record(workspaceId, kind, former.sk);
      const stored = await table.uncached().get(key);
      // The service has written a record with a revision since.
      if (stored && stored['revision'] === undefined && stored['menu'] === menu) await table.put({ ...former, ...key });
    }
  }

  /** @returns the number of new or different records */
  async write(records: readonly MenuRecord[]): Promise<number> {
    const { table, workspaceId, kind } = this;
    let changes = await this.#writesFor(records);
    if (changes.some(({ put }) => put.length > 0) && (await this.#options.beforeWriting()))
      changes = await this.#writesFor(records);
    const missing = changes.flatMap(({ isNew, put: [record] }) => (isNew && record ? record.sk : []));
    await endMarks(table, workspaceId, kind, missing);
    const first = changes.flatMap(({ former, due = [] }) => [...(former ? [former] : []), ...due]);
    await putAll(table, first);
    const puts = changes.flatMap(({ put }) => put);
    await putAll(table, puts);
    return changes.filter(({ put }) => put.length > 0).length;
  }

  #writesFor(records: readonly MenuRecord[]): Promise<RecordWrites[]> {
    const { table, workspaceId, kind } = this;
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
    const ids = this.rows.idsAfter(prune);
    const positioned = ids.map((id) => [positionOf(this.rows.after(id) as Row), id] as const);
    positioned.sort(([a], [b]) => (a < b ? -1 : 1));
    return { count: ids.length, rows: positioned.values().map(([, id]) => this.rows.after(id) as Row) };
  }

  /**
   * Removes the former versions, and the records that the index no longer contains. Call it after the index was
   * replaced.
   * @param all whether to remove remains of an interrupted import, too
   * @returns the number of removed records
   */
  async settle({ prune, all }: { readonly prune: boolean; readonly all: boolean }): Promise<number> {
    const gone = new Set(prune ? this.rows.unnamed() : []);
    const after = (id: string) => (gone.has(id) ? undefined : this.rows.after(id));
    const { table, workspaceId, kind } = this;
    await removeWhere(table, { pk: keys.formerRecords(workspaceId, kind), only: ['pk', 'sk'] });
    const goneKeys = [...gone].map((id) => keys.record(workspaceId, kind, id));
    await removeAll(table, goneKeys);
    const isOutdated = ({ sk, id }: Item) => after(String(id))?.slug !== sk;
    await removeWhere(table, { pk: keys.slugs(workspaceId, kind) }, isOutdated);
    const range = { pk: keys.records(workspaceId, kind), only: ['pk', 'sk'] };
    if (all) await removeWhere(table, range, ({ sk }) => !after(sk));
    // Those of an interrupted removal.
    if (all) await endMarks(table, workspaceId, kind, this.rows.idsAfter(prune));
    return gone.size;
  }

  #changes(record: MenuRecord, stored: Item | undefined, pointed: boolean): RecordWrites {
    const { workspaceId, kind, importedAt, concurrentEdits } = this;
    const before = stored && (JSON.parse(String(stored['record'])) as Stored);
    const complete = withTimes(record, before, importedAt) as unknown as Stored;
    const text = JSON.stringify(complete);
    const hash = hashOfRecord(text);
    this.rows.name(record.id, this.#options.rowOf(complete, hash));
    if (stored?.['record'] === text && pointed) return { put: [] };
    const former = this.rows.before(record.id);
    if (before && former && concurrentEdits.keeps(kind, stored, before, complete)) {
      this.rows.name(record.id);
      return { put: [] };
    }
    const isShown = stored?.['hash'] === former?.hash && stored?.['hash'] !== hash;
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
}
