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

/** `1 record`, `2 records`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const barWidth = 30;
const recordsPerLine = 10_000;

/** Writes results to standard output, notes and progress to standard error. Terminals get a progress bar. */
export const terminal: Terminal = {
  print: (line) => console.log(line),
  write: writeDocument,
  note: (line) => console.error(line),
  progress: (step, total) =>
    process.stderr.isTTY ? barProgress(step, total) : lineProgress((line) => console.error(line), step, total),
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

/** Shows the count after each record, and after the last one. */
function progressOf(show: (count: number, isEnd: boolean) => void): Progress {
  const progress = {
    count: 0,
    async *counting<Record>(records: AsyncIterable<Record>): AsyncGenerator<Record> {
      for await (const record of records) {
        show(++progress.count, false);
        yield record;
      }
      show(progress.count, true);
    },
  };
  return progress;
}

/** Prints one line per step, and more lines during long steps. */
export function lineProgress(note: Terminal['note'], step: string, total: number | undefined): Progress {
  note(total === undefined ? step : `${step} ${counted(total, 'record')}`);
  return progressOf((count, isEnd) => {
    if (!isEnd && count % recordsPerLine === 0) note(`${step}: ${count} records`);
  });
}

function barProgress(step: string, total: number | undefined): Progress {
  let shownAt = 0;
  return progressOf((count, isEnd) => {
    if (!isEnd && Date.now() - shownAt < 100) return;
    shownAt = Date.now();
    const bar = total && '#'.repeat(Math.round((barWidth * count) / total)).padEnd(barWidth, '.');
    const text = bar ? `[${bar}] ${count}/${total}` : `${count}`;
    process.stderr.write(`\r\u001b[K${step} ${text}${isEnd ? '\n' : ''}`);
  });
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
