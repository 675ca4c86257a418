import { gunzipSync } from 'node:zlib';
import { countWhile } from '#lib/domain/count-while.ts';
import { keys } from '../keys.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { CollectionScope } from './head.ts';
import { StaleRead } from './stale-read.ts';

/** One chunk of rows: its part id, its number of rows, and the position of its first row. */
export type ChunkEntry = readonly [partId: string, count: number, first: string];

export type Directory = readonly ChunkEntry[];

/** The content of a part, and its approximate size in memory. */
export interface Part<Content> {
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
