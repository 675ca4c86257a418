import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { countWhile } from '#lib/domain/count-while.ts';
import { Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import { type ChangeLog, hasEnded, isImporting } from '../log/change-log.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Item, Key, Table } from '../table.ts';

/**
 * A part that the head names, or an item that a row names, no longer exists or differs. Another writer has replaced it
 * since the head was read, so the read must begin again.
 */
export class StaleRead extends Error {
  override readonly name = 'StaleRead';
}

const triesMax = 5;
/** While an import writes, an item can stay newer than its row. */
const strictTries = 3;

/**
 * Reads an index and its items. If an import replaces the index in between, the read is repeated on the new index.
 * @param read a strict one throws StaleRead for an item that differs from its row. The last tries are not strict
 * @throws Unavailable after five tries, and the errors of `read` but StaleRead
 */
export async function repeatStaleRead<Result>(
  table: Table,
  read: (isStrict: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      return await read(tries < strictTries);
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      table.clearCache();
      await pause(Math.random() * 20 * 2 ** tries);
    }
  }
  throw new Unavailable('The index and the items do not agree.');
}

/** A collection of a workspace: the stored index of one kind of list. */
export interface CollectionScope {
  readonly workspaceId: string;
  readonly collection: string;
  /** Tells apart bases that are made from one head. */
  readonly variant?: string;
}

/** Names the base of a collection (X1): its stored rows, to which readers add the changes in the log. */
export interface CollectionHead {
  /** Identifies the stored rows; absent until they are first written. */
  readonly base?: string;
  /** The id of the part that names all other parts. */
  readonly directory?: string;
  /** The number of rows of the base, if the collection has a single list. */
  readonly total?: number;
  /** When the base became current, in milliseconds since 1970. */
  readonly since?: number;
  /** When the compaction that made the base began to read: the base includes all changes before. */
  readonly foldedAt?: number;
}

export const headKey = ({ workspaceId, collection }: CollectionScope): Key => keys.indexHead(workspaceId, collection);

interface CachedHead {
  readonly head: CollectionHead;
  readonly epoch: string | undefined;
  readonly view: object;
}

const heads = containerMemory.view<CachedHead>();

/**
 * A container reads a head again only after a change of any base. A change of bases may become visible item by item, so
 * for a minute every request reads it, and none keeps it.
 */
export async function readHead(
  table: Table,
  scope: CollectionScope,
  { state, view }: ChangeLog,
): Promise<CollectionHead> {
  const key = headKey(scope);
  const address = `${table.name} ${key.pk}`;
  const cached = heads.get(address);
  const isKnown = cached?.view === view && cached.epoch === state.epoch;
  if (cached && isKnown && !isImporting(state, scope.collection)) return cached.head;
  const isVisible = hasEnded(state.epoch);
  const head: CollectionHead = ((await table.get(key)) as (Item & CollectionHead) | undefined) ?? {};
  if (isVisible) heads.set(address, { head, epoch: state.epoch, view }, textBytes(JSON.stringify(head)));
  return head;
}

/** One chunk of rows: its part id, its number of rows, and the position of its first row. */
export type ChunkEntry = readonly [partId: string, count: number, first: string];

export type Directory = readonly ChunkEntry[];

/** The content of a part, and its approximate size in memory. */
interface Part<Content> {
  readonly content: Content;
  readonly bytes: number;
}

const parts = containerMemory.view<Part<unknown>>();

/** Reads a part through the cache. Parts never change. @throws StaleRead */
export const readPart = async <Content>(table: Table, scope: CollectionScope, partId: string): Promise<Content> =>
  (await cachedPart<Content>(table, scope, partId)).content;

async function cachedPart<Content>(table: Table, scope: CollectionScope, partId: string): Promise<Part<Content>> {
  const address = addressOf(table, scope, partId);
  const kept = parts.get(address) as Part<Content> | undefined;
  if (kept) return kept;
  const loaded = await loadPart<Content>(table, scope, partId);
  parts.set(address, loaded, loaded.bytes, loaded.content);
  return loaded;
}

const addressOf = ({ name }: Table, { workspaceId, collection }: CollectionScope, partId: string): string =>
  `${name}#${workspaceId}#${collection}#${partId}`;

/** Reads a part from the table. @throws StaleRead */
export async function loadPart<Content>(
  table: Table,
  { workspaceId, collection }: CollectionScope,
  partId: string,
): Promise<Part<Content>> {
  const item = await table.get(keys.indexPart(workspaceId, collection, partId));
  if (!item) throw new StaleRead();
  const text = gunzipSync(item['content'] as Uint8Array).toString();
  return { content: JSON.parse(text) as Content, bytes: textBytes(text) };
}

/** About 1 MB. */
const partsPerRead = 25;

/**
 * Loads many parts, some at a time. The cache has them until all are loaded: if the request runs out of time, the next
 * one continues where it ended. So a slow function loads a long list in several requests.
 * @throws StaleRead, Unavailable
 */
export async function loadParts<Content>(
  table: Table,
  scope: CollectionScope,
  partIds: readonly string[],
): Promise<Part<Content>[]> {
  const loaded: Part<Content>[] = [];
  for (let start = 0; start < partIds.length; start += partsPerRead) {
    const some = partIds.slice(start, start + partsPerRead);
    loaded.push(...(await Promise.all(some.map((partId) => cachedPart<Content>(table, scope, partId)))));
  }
  for (const partId of partIds) parts.delete(addressOf(table, scope, partId));
  return loaded;
}

/** The index of the chunk that contains a position, or would contain it. */
export const chunkIndexOf = (chunks: Directory, position: string): number =>
  Math.max(0, countWhile(chunks.length, (index) => (chunks[index]?.[2] ?? '') <= position) - 1);
