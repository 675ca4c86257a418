import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Counts items and shows the progress. */
interface Progress {
  readonly count: number;
  counting<Record>(records: AsyncIterable<Record>): AsyncGenerator<Record>;
}

export interface Terminal {
  print(line: string): void;
  /** Writes a document as the result. */
  write(document: AsyncIterable<string>): Promise<void>;
  /** Writes a status line, separate from the result. */
  note(line: string): void;
  progress(step: string, total?: number): Progress;
  /** Asks a yes-or-no question. Undefined without an interactive terminal. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
}

const barWidth = 30;
const recordsPerLine = 10_000;

/** Writes results to standard output, notes and progress to standard error. Terminals get a progress bar. */
export const terminal: Terminal = {
  print: (line) => console.log(line),
  write: writeDocument,
  note: (line) => console.error(line),
  progress: (step, total) =>
    process.stderr.isTTY ? new Bar(step, total) : new Lines((line) => console.error(line), step, total),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
};

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The question gets no answer if the input ends.
  const closed = new Promise<string>((settle) => lines.once('close', () => settle('')));
  try {
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), closed])).trim());
  } finally {
    lines.close();
  }
}

abstract class Counter implements Progress {
  count = 0;
  protected readonly step: string;
  protected readonly total: number | undefined;

  constructor(step: string, total: number | undefined) {
    this.step = step;
    this.total = total;
  }

  async *counting<Record>(records: AsyncIterable<Record>): AsyncGenerator<Record> {
    for await (const record of records) {
      this.count++;
      this.show();
      yield record;
    }
    this.end();
  }

  protected abstract show(): void;
  protected abstract end(): void;
}

/** Prints one line per step, and more lines during long steps. */
export class Lines extends Counter {
  readonly #note: Terminal['note'];

  constructor(note: Terminal['note'], step: string, total: number | undefined) {
    super(step, total);
    this.#note = note;
    note(`${step}${total === undefined ? '' : ` ${total} record${total === 1 ? '' : 's'}`}`);
  }

  protected show(): void {
    if (this.count % recordsPerLine === 0) this.#note(`${this.step}: ${this.count} records`);
  }

  protected end(): void {}
}

class Bar extends Counter {
  #shownAt = 0;

  protected show(): void {
    if (Date.now() - this.#shownAt < 100) return;
    this.#shownAt = Date.now();
    process.stderr.write(`\r\u001b[K${this.#line()}`);
  }

  protected end(): void {
    process.stderr.write(`\r\u001b[K${this.#line()}\n`);
  }

  #line(): string {
    if (!this.total) return `${this.step} ${this.count}`;
    const filled = Math.round((barWidth * this.count) / this.total);
    const bar = '#'.repeat(filled).padEnd(barWidth, '.');
    return `${this.step} [${bar}] ${this.count}/${this.total}`;
  }
}

/** Writes a text to standard output, at the speed of its reader. */
async function writeDocument(document: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(document), process.stdout, { end: false });
  } catch (error) {
    // The reader, such as `head`, has closed the pipe. The program itself reports every other failure of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error;
  }
}
