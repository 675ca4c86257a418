import { jest } from '@jest/globals';

/**
 * From now on, captures the log lines of this process instead of printing them. Call it before the logging code is
 * loaded, because the log level is read then.
 */
export function keepLogLines(): string[] {
  process.env['LOG_LEVEL'] = 'info';
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  return lines;
}

type Line = Readonly<Record<string, unknown>>;

const valueAt = (line: Line, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Line | undefined)?.[name], line);

/** Evaluates a line as a metric filter of CloudWatch does: `{ ($.level = "error") || ($.a.b = "c") }`. */
export function matchesFilter(pattern: string, line: Line): boolean {
  const comparison = /\$\.([\w.]+) = "([^"]*)"/g;
  if (pattern.replaceAll(comparison, '').replaceAll(/[{}()|\s]/g, '') !== '') {
    throw new Error(`This test does not know the filter ${pattern}.`);
  }
  return [...pattern.matchAll(comparison)].some(([, path = '', value]) => valueAt(line, path) === value);
}

/** Evaluates a line as a query of CloudWatch Logs does: `filter a in ["x", "y"] or b.c in ["z"]`. */
export function matchesQuery(filter: string, line: Line): boolean {
  const comparison = /([\w.]+) in \[([^\]]*)\]/g;
  if (filter.replaceAll(comparison, '').replaceAll(/^filter|or|\s/g, '') !== '') {
    throw new Error(`This test does not know the query ${filter}.`);
  }
  return [...filter.matchAll(comparison)].some(([, path = '', list = '']) =>
    list.split(', ').includes(JSON.stringify(valueAt(line, path))),
  );
}
