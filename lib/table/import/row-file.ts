import { DatabaseSync } from 'node:sqlite';
import { Unavailable } from '../errors.ts';

/**
 * Keeps the rows of an import in a temporary database, which is in memory while it is small. Its file has no name, so it
 * is removed with the process, even after a crash.
 */
export class RowFile {
  readonly #database = new DatabaseSync('');
  readonly #insert;
  readonly #select;

  constructor() {
    this.#database.exec('PRAGMA journal_mode = OFF; CREATE TABLE rows (id INTEGER PRIMARY KEY, row TEXT); BEGIN');
    this.#insert = this.#database.prepare('INSERT INTO rows (row) VALUES (?)');
    this.#select = this.#database.prepare('SELECT row FROM rows WHERE id = ?');
  }

  rows = <Row>(): FiledRows<Row> => new FiledRows<Row>(this);

  /** @returns the id of the text @throws Unavailable if the temporary file cannot be written */
  add(text: string): number {
    try {
      return Number(this.#insert.run(text).lastInsertRowid);
    } catch (cause) {
      throw new Unavailable('The import needs a temporary file, and cannot write it.', { cause });
    }
  }

  read = (id: number): string => String(this.#select.get(id)?.['row']);

  close = (): void => this.#database.close();
}

/** Rows by key: the keys are in memory, the rows in a file. */
export class FiledRows<Row> {
  readonly #file: RowFile;
  readonly #ids = new Map<string, number>();

  constructor(file: RowFile) {
    this.#file = file;
  }

  set(key: string, row: Row): void {
    this.#ids.set(key, this.#file.add(JSON.stringify(row)));
  }

  get(key: string): Row | undefined {
    const id = this.#ids.get(key);
    return id === undefined ? undefined : (JSON.parse(this.#file.read(id)) as Row);
  }

  has = (key: string): boolean => this.#ids.has(key);

  delete = (key: string): boolean => this.#ids.delete(key);

  keys = (): Iterable<string> => this.#ids.keys();
}
