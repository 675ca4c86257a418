import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Table } from '#lib/table/table.ts';
import { jsonDocument, ndjsonDocument } from '../export-document.ts';
import { exportRecords } from '../export-records.ts';
import { CommandFailure } from './command-failure.ts';
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
  { file, workspaceId }: Extract<Command, { readonly name: 'export' }>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  const progress = terminal.progress('Exporting');
  const records = progress.counting(exportRecords(table, workspaceId));
  if (file === undefined) return terminal.write(jsonDocument(records));
  await writeFileWhole(
    file,
    lineFormats.has(extname(file).toLowerCase()) ? ndjsonDocument(records) : jsonDocument(records),
  );
  terminal.print(`Exported ${progress.count} records of ${workspaceId} to ${file}.`);
}

/** Replaces the file atomically, so that a failed export keeps the old one. Only the owner may read it. */
async function writeFileWhole(file: string, document: AsyncIterable<string>): Promise<void> {
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
    throw new CommandFailure(`The file ${file} cannot be written: ${reasons[code] ?? message}.`);
  }
}

/** Resolves symbolic links, so that the link itself stays. Refuses special files such as `/dev/null`. */
async function targetOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return file;
  if (!found.isFile()) throw new CommandFailure(`The file ${file} cannot be written: it is not a regular file.`);
  return realpath(file);
}
