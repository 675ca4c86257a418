import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '#lib/domain/failure.ts';
import { documentPathOf } from '#lib/kinds/kinds.ts';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import type { Table } from '#lib/table/table.ts';
import { type ExportedRecord, exportRecords } from '../export-records.ts';
import type { Command } from './command-line.ts';
import type { Terminal } from './terminal.ts';

const lineFormats = new Set(['.ndjson', '.jsonl']);

/** Why a file cannot be written, as the end of a sentence. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its path leads through a file',
  EACCES: 'the permissions of its directory do not allow it',
  ENAMETOOLONG: 'its name is too long',
};

/** `export [FILE] --workspace ID`: to standard output as `.json`, to a file in the encoding of its extension. */
export async function runExport(
  { file, workspaceId }: Pick<Extract<Command, { readonly name: 'export' }>, 'file' | 'workspaceId'>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  const progress = terminal.progress('Exporting');
  const records = progress.counting(exportRecords(table, workspaceId));
  if (file === undefined) return terminal.write(jsonDocument(records));
  await writeFileWhole(file, documentIn(file, records));
  terminal.print(`Exported ${progress.count} records of ${workspaceId} to ${file}.`);
}

/** `export DIR --all`: every workspace of the table, each in a file of its own that an import takes. */
export async function runExportAll(
  { directory }: Pick<Extract<Command, { readonly name: 'export all' }>, 'directory'>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(({ message }: Error) => {
    throw new Failure(`The directory ${directory} cannot be made: ${message}.`);
  });
  const workspaces = await listWorkspaces(table);
  for (const { id } of workspaces) {
    await runExport({ file: join(directory, `${id}.ndjson`), workspaceId: id }, table, terminal);
  }
  terminal.print(`Exported ${workspaces.length} workspaces to ${directory}.`);
}

/** A document in the encoding of its file's extension. */
export const documentIn = (file: string, records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> =>
  lineFormats.has(extname(file).toLowerCase()) ? ndjsonDocument(records) : jsonDocument(records);

/** @throws Failure */
export async function requireNew(file: string): Promise<void> {
  if (await lstat(file).catch(() => undefined)) throw new Failure(`The file ${file} exists; name a new one.`);
}

/** Writes a file that must not exist. Only the owner may read it. @throws Failure; then there is none */
export async function writeNewFile(file: string, document: AsyncIterable<string>): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(document), stream);
  } catch (error) {
    const { code = '', syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Failure(`The file ${file} exists; name a new one.`);
    await rm(file, { force: true });
    if (!syscall) throw error;
    throw new Failure(`The file ${file} cannot be written: ${reasons[code] ?? message}.`);
  }
}

/** Replaces the file atomically, so that a failed export keeps the old one. Only the owner may read it. */
export async function writeFileWhole(file: string, document: AsyncIterable<string>): Promise<void> {
  try {
    const target = await targetOf(file);
    const partial = `${target}.${randomUUID().slice(0, 8)}.partial`;
    try {
      await pipeline(Readable.from(document), createWriteStream(partial, { flags: 'wx', mode: 0o600 }));
      await rename(partial, target);
    } finally {
      await rm(partial, { force: true });
    }
  } catch (error) {
    const { code = '', syscall, path, message } = error as NodeJS.ErrnoException;
    if (!syscall || !path) throw error;
    throw new Failure(`The file ${file} cannot be written: ${reasons[code] ?? message}.`);
  }
}

/** Resolves symbolic links, so that the link itself stays. Refuses special files such as `/dev/null`. */
async function targetOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return file;
  if (!found.isFile()) throw new Failure(`The file ${file} cannot be written: it is not a regular file.`);
  return realpath(file);
}

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
    const path: readonly string[] = documentPathOf(kind) as readonly string[];
    if (kind === 'workspace')
      yield `{\n"version": ${version},\n"exportedAt": "${exportedAt}",\n"workspace": ${JSON.stringify(record)}`;
    else {
      if (path.join() !== open.join()) {
        yield between(open, path);
        open = path;
        separator = '';
      }
      yield `${separator}\n${JSON.stringify(record)}`;
      separator = ',';
    }
  }
  yield `${between(open, [])}\n}\n`;
}

/** Closes the list before, and its group if the next list is in another; opens the next one. Without one, the end. */
function between(before: readonly string[], next: readonly string[]): string {
  const [group = '', list] = next;
  const isSameGroup = before[0] === group;
  const closing = before.length === 0 ? '' : before.length === 2 && !isSameGroup ? '\n]\n}' : '\n]';
  if (next.length === 0) return closing;
  const opening = list === undefined || isSameGroup ? '' : `${JSON.stringify(group)}: {\n`;
  return `${closing},\n${opening}${JSON.stringify(list ?? group)}: [`;
}
