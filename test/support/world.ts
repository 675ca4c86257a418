import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { Table } from '#lib/table/table.ts';
import { type ImportOptions, type ImportResult, importDocument } from '#lib/workspace/import-document.ts';
import { MemoryTable } from './memory-table.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test's document is its own affair; the import checks it.
export type Document = any;

const client = tableClient('import');

/** The table of the test run. */
export const testTable = (): Table => new Table({ client, name: process.env['TABLE_NAME'] ?? '' });

/** Imports a document as an operator would, from a file. */
export async function importFile(
  document: Document,
  options: ImportOptions = {},
  table: Table = testTable(),
): Promise<ImportResult> {
  const directory = await mkdtemp(join(tmpdir(), 'world-'));
  const file = join(directory, 'workspace.json');
  try {
    await writeFile(file, JSON.stringify(document));
    return await importDocument(table, file, options);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Imports a document that must be right. */
export async function load(document: Document, options: ImportOptions = {}): Promise<ImportResult> {
  return withoutFailures(await importFile(document, options));
}

/**
 * Stores a workspace that is not in the table yet, as its import does: a tenth of the time. The document must be right.
 */
export async function storeWorkspace(document: Document): Promise<ImportResult> {
  const memory = new MemoryTable(testTable().name);
  const result = withoutFailures(await importFile(document, {}, memory.table));
  await putAll(testTable(), memory.items);
  return result;
}

function withoutFailures(result: ImportResult): ImportResult {
  if (result.failures.length > 0) throw new Error(JSON.stringify(result.failures, null, 1));
  return result;
}
