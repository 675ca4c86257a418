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
/** A smaller chunk is joined to the one before it, if both fit. */
const chunkRowsMin = 50;
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
}

/** A chunk must fit into an item, even if its rows are long and do not compress. */
async function* cutIntoChunks(rows: PositionedRows, before: Directory): AsyncGenerator<Chunk> {
  let current: Chunk | undefined;
  for await (const { rows: piece, isFirst } of piecesOf(rows, before)) {
    const isSmall = piece.length < chunkRowsMin;
    let joins = !isFirst || (current && isSmall && current.texts.length + piece.length <= rowsPerChunk);
    for (const { position, row } of piece) {
      const text = JSON.stringify(row);
      const bytes = Buffer.byteLength(text);
      if (!current || !joins || current.texts.length === rowsPerChunk || current.bytes + bytes > chunkBytesMax) {
        if (current) yield current;
        current = { first: position, texts: [], bytes: 0 };
        joins = true;
      }
      current.texts.push(text);
      current.bytes += bytes;
    }
  }
  if (current) yield current;
}

/** Rows between two previous boundaries, or a part of them. */
async function* piecesOf(rows: PositionedRows, before: Directory) {
  const boundaries = before.slice(1).map(([, , first]) => first);
  let piece: PositionedRow[] = [];
  let isFirst = true;
  let next = 0;
  for await (const positioned of rows) {
    let isBoundary = false;
    while (next < boundaries.length && positioned.position >= (boundaries[next] ?? '')) {
      isBoundary = true;
      next++;
    }
    if (piece.length > 0 && (isBoundary || piece.length === rowsPerChunk)) {
      yield { rows: piece, isFirst };
      piece = [];
      isFirst = isBoundary;
    }
    piece.push(positioned);
  }
  yield { rows: piece, isFirst };
}
