/** Counts what goes by and shows it on the way. */
export interface Progress {
  readonly count: number;
  counting<Record>(records: AsyncIterable<Record>): AsyncGenerator<Record>;
}

export interface Terminal {
  print(line: string): void;
  /** A line about what is going on, apart from the result. */
  note(line: string): void;
  progress(step: string, total?: number): Progress;
}

/** A text of a document as it may stand in a line: what a terminal would obey is shown instead. */
export const inLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

const barWidth = 30;
const recordsPerLine = 10_000;

/** Results go to standard output; notes and progress to standard error, as a bar where that is a terminal. */
export const terminal: Terminal = {
  print: (line) => console.log(line),
  note: (line) => console.error(line),
  progress: (step, total) => (process.stderr.isTTY ? new Bar(step, total) : new Lines(step, total)),
};

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

/** One line a step, and one more for every so many records of a long one. */
class Lines extends Counter {
  constructor(step: string, total: number | undefined) {
    super(step, total);
    console.error(`${step}${total === undefined ? '' : ` ${total} record${total === 1 ? '' : 's'}`}`);
  }

  protected show(): void {
    if (this.count % recordsPerLine === 0) console.error(`${this.step}: ${this.count} records`);
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
