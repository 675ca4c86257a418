import { Collection, type CollectionSpec, type CollectionState } from '../collection/collection.ts';
import { type CollectionScope, chunkIndexOf, type Directory, readPart } from '../collection/head.ts';
import { cmsCollection, cmsEntrySortKey, keys } from '../keys.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { isPublished, publishedCount, type Row, rowOf, sortKeyOf } from './entry-row.ts';
import type { StoredEntry } from './stored-entry.ts';

export interface StoredList {
  readonly chunks: Directory;
  /** The number of published entries in each chunk. */
  readonly published: readonly number[];
  readonly former: readonly string[];
}

export interface EntryListBase {
  readonly stored: StoredList;
}

type ListState = CollectionState<EntryListBase, Row>;

/** A chunk of the current list. It has rows only if they differ from those of the stored part. */
interface Chunk {
  readonly partId: string;
  readonly count: number;
  readonly published: number;
  readonly rows: readonly Row[] | undefined;
}

/** Rows of a list, and the number of other rows between them. */
export interface ListedRows {
  readonly rows: readonly Row[];
  readonly unlisted: number;
}

const noList: StoredList = { chunks: [], published: [], former: [] };

/** How entry lists are read. An entry that changes and keeps its row concerns none. */
export const entryListSpec: CollectionSpec<EntryListBase, Row> = {
  rowBytes: 250,
  addressOf: ({ createdAt = '', id }) => cmsEntrySortKey(createdAt, id),
  loadBase: async ({ table, scope, head: { directory } }) => {
    const stored = directory === undefined ? noList : await readPart<StoredList>(table, scope, directory);
    return { value: { stored }, bytes: 200 * (stored.chunks.length + 1) };
  },
  concerns: ({ kind, modelId, sameRow }, { collection }) =>
    kind === 'cmsEntry' && !sameRow && modelId === cmsModelIdOf(collection),
  readRow: async (table, { workspaceId, collection }, { createdAt = '', id }) => {
    const key = keys.cmsEntry(workspaceId, cmsModelIdOf(collection), createdAt, id);
    const entry = (await table.get(key)) as StoredEntry | undefined;
    return { revision: entry?.revision ?? null, row: entry && rowOf(entry) };
  },
};

const lists = new Collection(entryListSpec);

export const entryListScope = ({ workspaceId }: WorkspaceScope, modelId: string): CollectionScope => ({
  workspaceId,
  collection: cmsCollection(modelId),
});

/** The entries of one CMS database, oldest first. The rows are read chunk by chunk, on demand. */
export class EntryList {
  readonly #chunks: readonly Chunk[];
  readonly #rowsIn: (chunk: Chunk) => Promise<readonly Row[]>;
  readonly state: ListState;

  constructor(state: ListState, chunks: readonly Chunk[], rowsOf: (chunk: Chunk) => Promise<readonly Row[]>) {
    this.state = state;
    this.#chunks = chunks;
    this.#rowsIn = rowsOf;
  }

  get total(): number {
    return this.totalOf(undefined);
  }

  /** The number of published or of unpublished entries, or of all. */
  totalOf(published: boolean | undefined): number {
    return this.#chunks.reduce((sum, chunk) => sum + countOf(chunk, published), 0);
  }

  /** The rows of a range of positions among all entries. @throws StaleRead */
  async rows(from = 0, to = this.total): Promise<readonly Row[]> {
    return (await this.rowsOf(undefined, from, to)).rows;
  }

  /** A range of rows, counting only published or only unpublished entries. @throws StaleRead */
  async rowsOf(published: boolean | undefined, from: number, to: number): Promise<ListedRows> {
    let start = 0;
    let skipped = 0;
    const chunks: Chunk[] = [];
    for (const chunk of this.#chunks) {
      const count = countOf(chunk, published);
      if (start + count <= from) skipped += count;
      else if (start < to) chunks.push(chunk);
      start += count;
    }
    const all = (await Promise.all(chunks.map(this.#rowsIn))).flat();
    const counted = [...all.keys()].filter((index) => isCounted(all[index] as Row, published));
    const indices = counted.slice(from - skipped, to - skipped);
    const span = indices.length === 0 ? 0 : (indices.at(-1) as number) - (indices[0] as number) + 1;
    return { rows: indices.map((index) => all[index] as Row), unlisted: span - indices.length };
  }

  /** The number of entries before a sort key: of all, or only of published or unpublished ones. @throws StaleRead */
  async countBefore(published: boolean | undefined, sortKey: string): Promise<number> {
    const index = chunkIndexOf(this.state.base.stored.chunks, sortKey);
    const before = this.#chunks.slice(0, index).reduce((sum, chunk) => sum + countOf(chunk, published), 0);
    const chunk = this.#chunks[index];
    const rows = chunk ? await this.#rowsIn(chunk) : [];
    return before + rows.filter((row) => sortKeyOf(row) < sortKey && isCounted(row, published)).length;
  }
}

const isCounted = (row: Row, published: boolean | undefined): boolean =>
  published === undefined || isPublished(row) === published;

function countOf({ count, published }: Chunk, isWanted: boolean | undefined): number {
  if (isWanted === undefined) return count;
  return isWanted ? published : count - published;
}

const rowsIn = async (table: Table, scope: CollectionScope, { rows, partId }: Chunk): Promise<readonly Row[]> =>
  rows ?? readPart<readonly Row[]>(table, scope, partId);

/** @throws StaleRead when another base has replaced the list since its head was read */
export async function readEntryList(table: Table, workspace: WorkspaceScope, modelId: string): Promise<EntryList> {
  const scope = entryListScope(workspace, modelId);
  return listOf(table, scope, await lists.read(table, scope));
}

/** The cached list, which may be outdated: a hint for the next read. It must not be shown. */
export async function entryListLastSeen(
  table: Table,
  workspace: WorkspaceScope,
  modelId: string,
): Promise<EntryList | undefined> {
  const scope = entryListScope(workspace, modelId);
  const state = lists.lastSeen(table, scope);
  return state && listOf(table, scope, state);
}

/** The chunks of a state, released with it. Only chunks with changed rows are copies, so the log bounds their number. */
const chunksByState = new WeakMap<ListState, readonly Chunk[]>();

async function listOf(table: Table, scope: CollectionScope, state: ListState): Promise<EntryList> {
  const chunks = chunksByState.get(state) ?? (await applyChanges(table, scope, state));
  chunksByState.set(state, chunks);
  return new EntryList(state, chunks, (chunk) => rowsIn(table, scope, chunk));
}

/** Puts changed rows into the chunks that they belong to. @throws StaleRead */
async function applyChanges(table: Table, scope: CollectionScope, { base, changed }: ListState): Promise<Chunk[]> {
  const { chunks, published } = base.stored;
  const stored: Chunk[] = chunks.map(([partId, count], index) => ({
    partId,
    count,
    published: published[index] ?? 0,
    rows: undefined,
  }));
  const byChunk = Map.groupBy(changed, ([address]) => chunkIndexOf(chunks, address));
  await Promise.all(
    [...byChunk].map(async ([index, changes]) => {
      const chunk = stored[index];
      const rows = new Map((chunk ? await rowsIn(table, scope, chunk) : []).map((row) => [sortKeyOf(row), row]));
      for (const [address, row] of changes) {
        if (row === undefined) rows.delete(address);
        else rows.set(address, row);
      }
      const sorted = [...rows.values()].sort();
      const counts = { count: sorted.length, published: publishedCount(sorted) };
      stored[index] = { partId: chunk?.partId ?? '', ...counts, rows: sorted };
    }),
  );
  return stored;
}

export const cmsModelIdOf = (collection: string): string => collection.slice(cmsCollection('').length);
