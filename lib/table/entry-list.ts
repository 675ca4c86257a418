import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { type Base, Collection, type CollectionState } from './collection/collection.ts';
import type { CollectionScope } from './collection/head.ts';
import { chunkRows, type Directory, keptPart, type PartItem, readPart } from './collection/parts.ts';
import { cmsCollection, cmsEntrySortKey, keys } from './keys.ts';
import type { StoredEntry } from './stored-entry.ts';
import type { Table } from './table.ts';

/** A row of an entry list is the sort key of its entry. */
export type Row = string;

interface StoredList {
  readonly chunks: Directory;
  readonly consumed: readonly string[];
  readonly former: readonly string[];
}

export interface EntryListBase extends Base {
  readonly stored: StoredList;
}

type ListState = CollectionState<EntryListBase, Row>;

/** A chunk of the list as it is now; the rows are here when they differ from those of the stored part. */
interface Chunk {
  readonly partId: string;
  readonly count: number;
  readonly rows: readonly Row[] | undefined;
}

const noList: StoredList = { chunks: [], consumed: [], former: [] };

const lists = new Collection<EntryListBase, Row>({
  rowBytes: 200,
  addressOf: ({ createdAt = '', id }) => cmsEntrySortKey(createdAt, id),
  loadBase: async ({ table, scope, head: { directory } }) => {
    const stored = directory === undefined ? noList : await readPart<StoredList>(table, scope, directory);
    const bytes = 200 * (stored.chunks.length + stored.consumed.length + 1);
    return { value: { stored, consumed: new Set(stored.consumed) }, bytes };
  },
  readRow: async (table, { workspaceId, collection }, { createdAt = '', id }) => {
    const key = keys.cmsEntry(workspaceId, modelIdOf(collection), createdAt, id);
    const entry = (await table.get(key)) as StoredEntry | undefined;
    return { revision: entry?.revision ?? null, row: entry && key.sk };
  },
});

export const entryListScope = ({ workspaceId }: WorkspaceScope, modelId: string): CollectionScope => ({
  workspaceId,
  collection: cmsCollection(modelId),
});

/** The entries of one CMS database, oldest first. The rows are read chunk by chunk, as far as they are asked for. */
export class EntryList {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  readonly #chunks: readonly Chunk[];
  readonly state: ListState | undefined;
  readonly total: number;

  constructor(table: Table, scope: CollectionScope, state: ListState | undefined, chunks: readonly Chunk[]) {
    this.#table = table;
    this.#scope = scope;
    this.state = state;
    this.#chunks = chunks;
    this.total = chunks.reduce((sum, { count }) => sum + count, 0);
  }

  /** The rows of a range of positions. @throws IndexMoved */
  async rows(from = 0, to = this.total): Promise<readonly Row[]> {
    const { chunks, skipped } = this.#chunksOf(from, to);
    const rows = await Promise.all(
      chunks.map(({ partId, rows: own }) => own ?? readPart<readonly Row[]>(this.#table, this.#scope, partId)),
    );
    return rows.flat().slice(from - skipped, to - skipped);
  }

  /** The same, as far as this container holds them already. */
  keptRows(from: number, to: number): readonly Row[] | undefined {
    const { chunks, skipped } = this.#chunksOf(from, to);
    const rows = chunks.map(
      ({ partId, rows: own }) => own ?? keptPart<readonly Row[]>(this.#table, this.#scope, partId),
    );
    if (rows.includes(undefined)) return undefined;
    return (rows as (readonly Row[])[]).flat().slice(from - skipped, to - skipped);
  }

  #chunksOf(from: number, to: number) {
    let [start, skipped] = [0, 0];
    const chunks: Chunk[] = [];
    for (const chunk of this.#chunks) {
      if (start + chunk.count <= from) skipped += chunk.count;
      else if (start < to) chunks.push(chunk);
      start += chunk.count;
    }
    return { chunks, skipped };
  }
}

/** @throws IndexMoved when an import has replaced the list since its head was read */
export async function readEntryList(table: Table, workspace: WorkspaceScope, modelId: string): Promise<EntryList> {
  const scope = entryListScope(workspace, modelId);
  const state = await lists.read(table, scope);
  return new EntryList(table, scope, state, state ? await chunksOf(table, scope, state) : []);
}

/** The list as this container saw it last: a hint about what to read, never to be shown. */
export function entryListLastSeen(table: Table, workspace: WorkspaceScope, modelId: string): EntryList | undefined {
  const scope = entryListScope(workspace, modelId);
  const state = lists.lastSeen(table, scope);
  const chunks = state && madeChunks.get(state);
  return chunks && new EntryList(table, scope, state, chunks);
}

const madeChunks = new WeakMap<ListState, readonly Chunk[]>();

async function chunksOf(table: Table, scope: CollectionScope, state: ListState): Promise<readonly Chunk[]> {
  const made = madeChunks.get(state);
  if (made) return made;
  const chunks = await applyChanges(table, scope, state);
  madeChunks.set(state, chunks);
  return chunks;
}

/** Puts changed rows into the chunks that they belong to. @throws IndexMoved */
async function applyChanges(table: Table, scope: CollectionScope, { base, changed }: ListState): Promise<Chunk[]> {
  const { chunks } = base.stored;
  const stored: Chunk[] = chunks.map(([partId, count]) => ({ partId, count, rows: undefined }));
  const byChunk = Map.groupBy(changed, ([address]) => chunkIndexOf(chunks, address));
  await Promise.all(
    [...byChunk].map(async ([index, changes]) => {
      const before = stored[index] ? await readPart<readonly Row[]>(table, scope, stored[index].partId) : [];
      const rows = new Set(before);
      for (const [address, row] of changes) {
        if (row === undefined) rows.delete(address);
        else rows.add(row);
      }
      const sorted = [...rows].sort();
      stored[index] = { partId: stored[index]?.partId ?? '', count: sorted.length, rows: sorted };
    }),
  );
  return stored;
}

/** The chunk that holds a position, or would hold it. */
function chunkIndexOf(chunks: Directory, position: string): number {
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle]?.[2] ?? '') <= position) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Rows as a base is made of them: parts that are not stored yet, and what the directory says. */
export function entryListParts(
  scope: CollectionScope,
  rows: readonly Row[],
  before: EntryListBase | undefined,
): { readonly fresh: readonly PartItem[]; readonly content: Pick<StoredList, 'chunks'> } {
  const placed = rows.map((row) => ({ position: row, row }));
  const { directory, fresh } = chunkRows(scope, placed, before?.stored.chunks ?? []);
  return { fresh, content: { chunks: directory } };
}

export const entryListPartIds = ({ chunks }: Pick<StoredList, 'chunks'>): string[] => chunks.map(([partId]) => partId);

const modelIdOf = (collection: string): string => collection.slice(cmsCollection('').length);
