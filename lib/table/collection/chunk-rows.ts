import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { putAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import type { ChunkEntry, CollectionScope, Directory } from './head.ts';

type PartItem = Item & { readonly partId: string };

const rowsPerChunk = 500;
const chunkBytesMax = 300_000;
/** A chunk with less than both is small. */
const rowsMin = 50;
const bytesMin = 30_000;
const partsPerBatch = 10;

/** A row and its position, before it is put into a chunk. */
export interface PositionedRow {
  /** The position of the row in the order of the collection. Rows with equal positions have no fixed order. */
  readonly position: string;
  readonly row: unknown;
}

type PositionedRows = Iterable<PositionedRow> | AsyncIterable<PositionedRow>;

const hashLength = 22;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, hashLength);

/**
 * Cuts rows into chunks at the previous boundaries, so that few chunks change. A chunk with the same content keeps its
 * id. A new chunk gets an unused id: the clean-up of another writer may still remove a part with the same content. New
 * chunks are stored some at a time, so that they are not all in memory. No reader uses them yet. A long list takes
 * seconds; it yields between chunks so that timers, such as a lease's, still run.
 * @param rows in order
 */
export async function storeChunks(
  table: Table,
  scope: CollectionScope,
  rows: PositionedRows,
  before: Directory = [],
): Promise<Directory> {
  const stored = new Map(before.map(([partId]) => [partId.slice(0, hashLength), partId]));
  const unstored: PartItem[] = [];
  const directory: ChunkEntry[] = [];
  for await (const { first, texts } of cutIntoChunks(rows, before)) {
    if (directory.length > 0) await nextTurn();
    const text = `[${texts.join()}]`;
    const storedId = stored.get(hashOf(text));
    const part = storedId === undefined ? partItem(scope, text) : undefined;
    if (part) unstored.push(part);
    if (unstored.length === partsPerBatch) await putAll(table, unstored.splice(0));
    directory.push([storedId ?? part?.partId ?? '', texts.length, first]);
  }
  await putAll(table, unstored);
  return directory;
}

/** Makes a part of a JSON text, under a new id. */
export function partItem({ workspaceId, collection }: CollectionScope, text: string): PartItem {
  const partId = `${hashOf(text)}${randomBytes(4).toString('hex')}`;
  return { ...keys.indexPart(workspaceId, collection, partId), partId, content: gzipSync(text) };
}

interface Chunk {
  /** The position of its first row. */
  readonly first: string;
  /** Its rows as JSON. */
  readonly texts: string[];
  bytes: number;
  /** Whether it has the place of a previous chunk. It may be larger, so that a few new rows do not cut it. */
  isPrevious: boolean;
}

/** A chunk must fit into an item, even if its rows are long and do not compress. */
async function* cutIntoChunks(rows: PositionedRows, before: Directory): AsyncGenerator<Chunk> {
  let current: Chunk | undefined;
  let next = 0;
  for await (const { position, row } of rows) {
    const text = JSON.stringify(row);
    const bytes = Buffer.byteLength(text);
    const passed = next;
    while (next < before.length && position >= (before[next]?.[2] ?? '')) next++;
    const isBoundary = next > passed;
    if (current && ((isBoundary && !isSmall(current)) || !hasRoom(current, bytes))) {
      yield current;
      current = undefined;
    }
    current ??= { first: position, texts: [], bytes: 0, isPrevious: false };
    current.texts.push(text);
    current.bytes += bytes;
    current.isPrevious ||= isBoundary;
  }
  if (current) yield current;
}

/** A small chunk goes on into the next one. */
const isSmall = ({ texts, bytes }: Chunk): boolean => texts.length < rowsMin && bytes < bytesMin;

const hasRoom = (chunk: Chunk, bytes: number): boolean =>
  chunk.texts.length < rowsPerChunk + (chunk.isPrevious ? rowsMin : 0) &&
  chunk.bytes + bytes <= chunkBytesMax + (chunk.isPrevious ? bytesMin : 0);
