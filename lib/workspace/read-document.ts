import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseJson } from '#lib/domain/json-text.ts';
import type { DocumentItem } from './document-item.ts';
import { readJson } from './read-json.ts';
import { readLines } from './read-lines.ts';
import { readNdjson } from './read-ndjson.ts';
import { whyUnreadable } from './why-unreadable.ts';

/** An unreadable document. The message is shown to the user. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/**
 * Reads the records of a workspace document (lib/spec/workspace-document.md section 1). The extension of the file decides
 * the encoding; without one, the first line does. Malformed parts are returned as failures among the records. An
 * `.ndjson` document is read with one line in memory.
 * @throws UnreadableDocument
 */
export async function* readDocument(file: string): AsyncGenerator<DocumentItem> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw Object.assign(new Error(), { code: found.isDirectory() ? 'EISDIR' : 'ENOTFILE' });
    yield* (await isNdjson(file)) ? readNdjson(file) : readJson(file);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (error instanceof UnreadableDocument || !failure.code) throw error;
    throw new UnreadableDocument(`The workspace document ${file} cannot be read: ${whyUnreadable(failure)}.`);
  }
}

async function isNdjson(file: string): Promise<boolean> {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return false;
  if (extension === '.ndjson' || extension === '.jsonl') return true;
  for await (const { text = '' } of readLines(file)) {
    if (text.trim() === '') continue;
    const parsed = parseJson(text);
    return 'value' in parsed && typeof parsed.value === 'object' && parsed.value !== null && 'kind' in parsed.value;
  }
  return false;
}
