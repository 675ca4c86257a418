import type { FiledRows } from './row-file.ts';

/** A map, or rows in a file. */
type RowMap<Row> = Pick<FiledRows<Row>, 'get' | 'set' | 'has' | 'delete' | 'keys'>;

/** The rows of a list before and after an import, by id. A row that stays the same is kept once. */
export class ImportedRows<Row> {
  readonly #newMap: () => RowMap<Row>;
  #before: RowMap<Row>;
  /** The stored rows that the document does not name. */
  #unnamed = new Set<string>();
  /** The rows of the document that are new or different. */
  readonly #changed: RowMap<Row>;

  constructor(newMap: () => RowMap<Row>) {
    this.#newMap = newMap;
    this.#before = newMap();
    this.#changed = newMap();
  }

  /** @param rows of the list before the import. What the document has named until now stays named */
  async open(rows: Iterable<readonly [string, Row]> | AsyncIterable<readonly [string, Row]>): Promise<void> {
    const before = this.#newMap();
    const unnamed = new Set<string>();
    for await (const [id, row] of rows) {
      before.set(id, row);
      const isNamed = this.#changed.has(id) || (this.#before.has(id) && !this.#unnamed.has(id));
      if (!isNamed) unnamed.add(id);
    }
    this.#before = before;
    this.#unnamed = unnamed;
  }

  /** Notes a row of the document; without a row, the stored one stays. */
  name(id: string, row?: Row): void {
    this.#unnamed.delete(id);
    if (row === undefined || JSON.stringify(row) === JSON.stringify(this.#before.get(id))) this.#changed.delete(id);
    else this.#changed.set(id, row);
  }

  before = (id: string): Row | undefined => this.#before.get(id);

  /** The row after the import, unless it is pruned. */
  after = (id: string): Row | undefined => this.#changed.get(id) ?? this.#before.get(id);

  unnamed = (): string[] => [...this.#unnamed];

  /** The ids of all rows after the import, in no order. */
  idsAfter(prune: boolean): string[] {
    const stored = Iterator.from(this.#before.keys());
    const staying = stored.filter((id) => !this.#changed.has(id) && !(prune && this.#unnamed.has(id)));
    return [...this.#changed.keys(), ...staying];
  }

  /** Whether the rows after the import differ from those before. */
  isChanged = (prune: boolean): boolean =>
    (prune && this.#unnamed.size > 0) || Iterator.from(this.#changed.keys()).next().done === false;
}
