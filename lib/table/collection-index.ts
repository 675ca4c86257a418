import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BoundedCache } from './bounded-cache.ts';
import { keys } from './keys.ts';
import type { Item, Key } from './schema.ts';
import type { Table } from './table.ts';

/**
 * The index of a collection (X1): what a list needs to count, order and page, without the items themselves.
 * The head is small and read on every request; the directory and the chunks are named by their content, so what a
 * warm function holds of them is never stale.
 */
export interface IndexHead {
  /** Changes with every change of the index. */
  readonly version: string;
  /** The part that names all others. */
  readonly directory: string;
  /** How many rows there are, where the index has one list. */
  readonly total: number;
}

/** One chunk of rows: its part id and how many rows it has, in list order. */
export type Directory = readonly (readonly [partId: string, count: number])[];

/** A row is the sort key of an item. */
export type Row = string;

export interface IndexScope {
  readonly workspaceId: string;
  readonly collection: string;
}

/** A part that the head's directory names is gone: the head has moved meanwhile. */
export class IndexMoved extends Error {
  override readonly name = 'IndexMoved';
}

export const rowsPerChunk = 500;
const chunkBytesMax = 300_000;

const cacheBytesMax = 48 * 1024 * 1024;
const parts = new BoundedCache<unknown>(cacheBytesMax);

export const headKey = ({ workspaceId, collection }: IndexScope): Key => keys.indexHead(workspaceId, collection);

const headsLastSeen = new BoundedCache<IndexHead>(10_000);

export async function readHead(table: Table, scope: IndexScope): Promise<IndexHead | undefined> {
  const head = (await table.get(headKey(scope))) as (IndexHead & Item) | undefined;
  if (head) headsLastSeen.set(addressOf(scope, 'HEAD'), head);
  return head;
}

/**
 * The rows of a page, newest last, by what this function has seen of the index last: a guess, and none when it has not
 * seen enough.
 */
export function rowsLastSeen(scope: IndexScope, offset: number, limit: number): readonly Row[] | undefined {
  const head = headsLastSeen.get(addressOf(scope, 'HEAD'));
  const directory = head && (parts.get(addressOf(scope, head.directory)) as Directory | undefined);
  if (!head || !directory) return undefined;
  const to = head.total - offset;
  const chunks = chunksOf(directory, Math.max(0, to - limit), to);
  const rows = chunks.parts.map((partId) => parts.get(addressOf(scope, partId)) as readonly Row[] | undefined);
  return rows.includes(undefined) ? undefined : chunks.slice(rows as (readonly Row[])[]);
}

/** @throws IndexMoved */
export const readDirectory = (table: Table, scope: IndexScope, head: IndexHead): Promise<Directory> =>
  readPart<Directory>(table, scope, head.directory);

/** The rows of a range of positions in key order. @throws IndexMoved */
export async function readRows(
  table: Table,
  scope: IndexScope,
  directory: Directory,
  from: number,
  to: number,
): Promise<readonly Row[]> {
  const chunks = chunksOf(directory, from, to);
  return chunks.slice(await Promise.all(chunks.parts.map((partId) => readPart<readonly Row[]>(table, scope, partId))));
}

/** The chunks that hold a range of positions, and how to cut it out of their rows. */
function chunksOf(directory: Directory, from: number, to: number) {
  let start = 0;
  let first: number | undefined;
  const wanted: string[] = [];
  for (const [partId, count] of directory) {
    if (start < to && start + count > from) {
      first ??= start;
      wanted.push(partId);
    }
    start += count;
  }
  const skipped = first ?? 0;
  return {
    parts: wanted,
    slice: (rows: readonly (readonly Row[])[]): readonly Row[] => rows.flat().slice(from - skipped, to - skipped),
  };
}

/** All rows of a collection. @throws IndexMoved */
export async function readAllRows(table: Table, workspaceId: string, collection: string): Promise<readonly Row[]> {
  const scope = { workspaceId, collection };
  const head = await readHead(table, scope);
  return head ? readRows(table, scope, await readDirectory(table, scope, head), 0, head.total) : [];
}

async function readPart<Content>(table: Table, scope: IndexScope, partId: string): Promise<Content> {
  const address = addressOf(scope, partId);
  const known = parts.get(address);
  if (known) return known as Content;
  const { content, bytes } = await loadPart<Content>(table, scope, partId);
  parts.set(address, content, bytes);
  return content;
}

/** Reads a part from the table; the bytes are what it weighs in memory, about. @throws IndexMoved */
export async function loadPart<Content>(table: Table, { workspaceId, collection }: IndexScope, partId: string) {
  const item = await table.get(keys.indexPart(workspaceId, collection, partId));
  if (!item) throw new IndexMoved();
  const text = gunzipSync(item['content'] as Uint8Array).toString();
  return { content: JSON.parse(text) as Content, bytes: text.length * 2 };
}

/** A part as it is stored; its id is made of its content. */
export type PartItem = Item & { readonly partId: string };

export function partItem({ workspaceId, collection, edition = '' }: PartScope, content: unknown): PartItem {
  const text = JSON.stringify(content);
  const partId = createHash('sha256').update(edition).update(text).digest('base64url').slice(0, 22);
  return { ...keys.indexPart(workspaceId, collection, partId), partId, content: gzipSync(text) };
}

export interface PartScope extends IndexScope {
  /** Keeps parts apart from those of the same content that another writer may be taking away. */
  readonly edition?: string;
}

/** Rows in chunks, and the directory of them; chunks that did not change keep their ids. */
export function chunkRows(scope: PartScope, rows: readonly unknown[]): { parts: PartItem[]; directory: Directory } {
  const chunks = cutIntoChunks(rows);
  const parts = chunks.map((chunk) => partItem(scope, chunk));
  return { parts, directory: parts.map(({ partId }, index) => [partId, chunks[index]?.length ?? 0]) };
}

/** A chunk has to fit into an item, also when its rows are long and do not shrink. */
function cutIntoChunks(rows: readonly unknown[]): unknown[][] {
  const chunks: unknown[][] = [];
  let chunk: unknown[] = [];
  let bytes = 0;
  for (const row of rows) {
    const rowBytes = Buffer.byteLength(JSON.stringify(row));
    if (chunk.length === rowsPerChunk || (chunk.length > 0 && bytes + rowBytes > chunkBytesMax)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += rowBytes;
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks;
}

const addressOf = ({ workspaceId, collection }: IndexScope, part: string): string =>
  `${workspaceId}#${collection}#${part}`;
