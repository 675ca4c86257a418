import { setTimeout as pause } from 'node:timers/promises';

/** Many times the duration of the longest part, for a busy machine. */
const millisecondsMax = 300_000;
/** Often only the end of a long output is kept, so the summary must be short. */
const summaryLinesMax = 30;
const summaryLineMax = 240;

/**
 * The parts of a verification. A failed part is retried one time. A success of the retry is reported as `FLAKY`. A
 * second failure is reported as `NOT`, and fails the verification.
 */
export class Attempts {
  readonly #say: (line: string) => void;
  readonly #flaky: string[] = [];
  readonly #failed: string[] = [];
  #passed = 0;

  constructor(say: (line: string) => void = console.log) {
    this.#say = say;
  }

  /** @param attempt rejects when the part fails; a retry starts with fresh state */
  async try(name: string, attempt: (isAgain: boolean) => Promise<void>): Promise<void> {
    const startedAt = Date.now();
    const first = await errorOf(attempt(false));
    if (first === undefined) {
      this.#passed++;
      return this.#say(`ok  ${name} (${Date.now() - startedAt} ms)`);
    }
    const second = await errorOf(attempt(true));
    if (second === undefined) {
      this.#flaky.push(inOneLine(`FLAKY ${name}: ${first}`));
      return this.#say(`FLAKY ${name}: ${first}`);
    }
    this.#failed.push(inOneLine(`NOT ${name}: ${second}`));
    this.#say(`NOT ${name}: ${first}`);
    this.#say(`NOT ${name}, tried once more: ${second}`);
  }

  /** Reports all failures by name, and fails the process if a retry failed. */
  finish(): void {
    this.#say(`${this.#passed} ok, ${this.#flaky.length} flaky, ${this.#failed.length} failed`);
    const lines = [...this.#failed, ...this.#flaky];
    for (const line of lines.slice(0, summaryLinesMax)) this.#say(line);
    if (lines.length > summaryLinesMax) this.#say(`... and ${lines.length - summaryLinesMax} more`);
    if (this.#failed.length > 0) process.exitCode = 1;
  }
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, summaryLineMax);

async function errorOf(attempted: Promise<void>): Promise<string | undefined> {
  const over = new AbortController();
  const tooLong = pause(millisecondsMax, undefined, { signal: over.signal }).then(() => {
    throw new Error(`It was not over after ${millisecondsMax} ms.`);
  });
  try {
    await Promise.race([attempted, tooLong]);
    return undefined;
  } catch (error) {
    return String((error as Error).stack ?? error);
  } finally {
    tooLong.catch(() => {});
    over.abort();
  }
}
