import { relative } from 'node:path';

const shown = 10;

/** The used members of jest's results for a reporter. */
interface Results {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly perfStats: { /** In milliseconds. */ readonly runtime: number };
  }[];
}

/**
 * Prints the slowest files after a run of more than a few files. The seconds are wall time, so a busy machine shows
 * more.
 */
export default class SlowestFiles {
  onRunComplete(_: unknown, { testResults }: Results): void {
    if (testResults.length <= shown) return;
    const rows = testResults
      .map(({ testFilePath, perfStats }) => ({
        file: relative(process.cwd(), testFilePath),
        seconds: perfStats.runtime / 1_000,
      }))
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, shown)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    process.stderr.write(`\nThe slowest ${shown} of ${testResults.length} files:\n${rows.join('\n')}\n`);
  }
}
