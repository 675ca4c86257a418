import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import type { ExportedRecord } from './export-records.ts';

const version = 1;

/** Records as the lines of an `.ndjson` document (lib/spec/workspace-document.md section 1). */
export async function* ndjsonDocument(records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> {
  // Set before the first record is read, so that an edit missing from the document is always later.
  const head = { version, exportedAt: new Date().toISOString() };
  for await (const { kind, record } of records) {
    yield `${JSON.stringify({ kind, ...(kind === 'workspace' && head), ...record })}\n`;
  }
}

/** Records as chunks of a `.json` document, one per line, in the order of `kinds`: the workspace comes first. */
export async function* jsonDocument(records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> {
  let open: readonly string[] = [];
  let separator = '';
  const exportedAt = new Date().toISOString();
  for await (const { kind, record } of records) {
    const path: readonly string[] = kindOf(kind as Kind).documentPath;
    if (kind === 'workspace')
      yield `{\n"version": ${version},\n"exportedAt": "${exportedAt}",\n"workspace": ${JSON.stringify(record)}`;
    else {
      if (path.join() !== open.join()) {
        yield closing(open, path) + opening(open, path);
        open = path;
        separator = '';
      }
      yield `${separator}\n${JSON.stringify(record)}`;
      separator = ',';
    }
  }
  yield `${closing(open, [])}\n}\n`;
}

/** Closes the previous list, and its group if the next list is in another. */
function closing(before: readonly string[], next: readonly string[]): string {
  if (before.length === 0) return '';
  const leavesGroup = before.length === 2 && before[0] !== next[0];
  return `\n]${leavesGroup ? '\n}' : ''}`;
}

function opening(before: readonly string[], next: readonly string[]): string {
  const [group = '', list] = next;
  if (list === undefined) return `,\n${JSON.stringify(group)}: [`;
  return before[0] === group
    ? `,\n${JSON.stringify(list)}: [`
    : `,\n${JSON.stringify(group)}: {\n${JSON.stringify(list)}: [`;
}
