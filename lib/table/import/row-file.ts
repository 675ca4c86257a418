import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';

/** The length of a text is stored before it. */
const lengthBytes = 4;
/** Most rows are shorter, so that one read takes the length and the row. */
const readBytes = 2_048;
const inMemoryBytesMax = 1_048_576;

/**
 * Keeps rows of an import beyond one megabyte in a temporary file. The file has no name, so it is removed with the
 * process, even after a crash.
 */
export class RowFile {
  #file: number | undefined;
  readonly #folder: string;
  /** The bytes in the file; those of the newest rows are still in memory. */
  #filedBytes = 0;
  #newest = Buffer.allocUnsafe(readBytes);
  #newestBytes = 0;
  readonly #read = Buffer.allocUnsafe(readBytes);

  /** @param folder of the temporary file */
  constructor(folder = tmpdir()) {
    this.#folder = folder;
  }

  rows = <Row>(): FiledRows<Row> => new FiledRows<Row>(this);

  /** @returns the position of the text @throws Unavailable if the temporary file cannot be written */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    this.#makeRoom(lengthBytes + bytes);
    const position = this.#filedBytes + this.#newestBytes;
    this.#newest.writeUInt32LE(bytes, this.#newestBytes);
    this.#newest.write(text, this.#newestBytes + lengthBytes);
    this.#newestBytes += lengthBytes + bytes;
    return position;
  }

  read(position: number): string {
    if (position >= this.#filedBytes) return textAt(this.#newest, position - this.#filedBytes);
    const file = this.#file as number;
    readSync(file, this.#read, 0, readBytes, position);
    const bytes = lengthBytes + this.#read.readUInt32LE(0);
    if (bytes <= readBytes) return textAt(this.#read, 0);
    const whole = Buffer.allocUnsafe(bytes);
    readSync(file, whole, 0, bytes, position);
    return textAt(whole, 0);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #makeRoom(bytes: number): void {
    if (this.#newestBytes + bytes > inMemoryBytesMax) this.#moveToFile();
    const needed = this.#newestBytes + bytes;
    if (needed <= this.#newest.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#newest.length));
    this.#newest.copy(larger, 0, 0, this.#newestBytes);
    this.#newest = larger;
  }

  #moveToFile(): void {
    try {
      this.#file ??= openUnnamed(this.#folder);
      // Writes at the end, because reads do not move the position.
      writeFileSync(this.#file, this.#newest.subarray(0, this.#newestBytes));
    } catch (cause) {
      throw new Unavailable(`The import needs a temporary file in ${this.#folder}, and cannot write it.`, { cause });
    }
    this.#filedBytes += this.#newestBytes;
    this.#newestBytes = 0;
  }
}

/** Rows by key: the keys are in memory, the rows in a file. */
export class FiledRows<Row> {
  readonly #file: RowFile;
  readonly #positions = new Map<string, number>();

  constructor(file: RowFile) {
    this.#file = file;
  }

  set(key: string, row: Row): void {
    this.#positions.set(key, this.#file.add(JSON.stringify(row)));
  }

  get(key: string): Row | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : (JSON.parse(text) as Row);
  }

  /** The row as JSON. */
  text(key: string): string | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#file.read(position);
  }

  has = (key: string): boolean => this.#positions.has(key);

  delete = (key: string): boolean => this.#positions.delete(key);

  keys = (): Iterable<string> => this.#positions.keys();
}

function openUnnamed(parent: string): number {
  const folder = mkdtempSync(join(parent, 'workspace-import-'));
  try {
    return openSync(join(folder, 'rows'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const textAt = (bytes: Buffer, start: number): string => {
  const from = start + lengthBytes;
  return bytes.toString('utf8', from, from + bytes.readUInt32LE(start));
};
