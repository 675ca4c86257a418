import { gunzipSync } from 'node:zlib';
import { keys } from '../keys.ts';
import { containerMemory, textBytes } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import type { CollectionScope } from './head.ts';
import { StaleRead } from './stale-read.ts';

/** One chunk of rows: its part id, its number of rows, and the position of its first row. */
export type ChunkEntry = readonly [partId: string, count: number, first: string];

/** The chunks of a list, in order. */
export type Directory = readonly ChunkEntry[];

const parts = containerMemory.view<unknown>();

/** Reads a part through the cache. Parts never change. @throws StaleRead */
export async function readPart<Content>(table: Table, scope: CollectionScope, partId: string): Promise<Content> {
  const address = addressOf(table, scope, partId);
  const kept = parts.get(address) as Content | undefined;
  if (kept) return kept;
  const { content, bytes } = await loadPart<Content>(table, scope, partId);
  parts.set(address, content, bytes);
  return content;
}

const addressOf = ({ name }: Table, { workspaceId, collection }: CollectionScope, partId: string): string =>
  `${name}#${workspaceId}#${collection}#${partId}`;

/** Reads a part from the table. `bytes` is its approximate size in memory. @throws StaleRead */
export async function loadPart<Content>(table: Table, { workspaceId, collection }: CollectionScope, partId: string) {
  const item = await table.get(keys.indexPart(workspaceId, collection, partId));
  if (!item) throw new StaleRead();
  const text = gunzipSync(item['content'] as Uint8Array).toString();
  return { content: JSON.parse(text) as Content, bytes: textBytes(text) };
}

/** The parts of lists that are not completely loaded yet. */
const loading = containerMemory.view<unknown>();

/** About 1 MB. */
const partsPerRead = 25;

/**
 * Loads many parts, some at a time. If the request runs out of time, the next one continues where it ended. So a slow
 * function loads a long list in several requests.
 * @param convert makes the result from the content of a part and the size of its text in memory, in bytes
 * @returns the results, in the order of the ids
 * @throws StaleRead, Unavailable
 */
export async function loadParts<Content, Result>(
  table: Table,
  scope: CollectionScope,
  partIds: readonly string[],
  convert: (content: Content, textBytes: number) => Result,
): Promise<Result[]> {
  const load = async (partId: string): Promise<Result> => {
    const address = addressOf(table, scope, partId);
    const kept = loading.get(address) as Result | undefined;
    if (kept) return kept;
    const { content, bytes } = await loadPart<Content>(table, scope, partId);
    const result = convert(content, bytes);
    loading.set(address, result, bytes);
    return result;
  };
  const results: Result[] = [];
  for (let start = 0; start < partIds.length; start += partsPerRead) {
    results.push(...(await Promise.all(partIds.slice(start, start + partsPerRead).map(load))));
  }
  for (const partId of partIds) loading.delete(addressOf(table, scope, partId));
  return results;
}

/** The index of the chunk that contains a position, or would contain it. */
export function chunkIndexOf(chunks: Directory, position: string): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle]?.[2] ?? '') <= position) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
