import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, columnsText } from '#lib/domain/cms/columns.ts';
import { derived } from '#lib/domain/derived.ts';
import { Collection, type CollectionState, type StoredRow } from '../collection/collection.ts';
import {
  type CollectionHead,
  type CollectionScope,
  type Directory,
  loadParts,
  readPart,
  StaleRead,
} from '../collection/head.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import type { LoggedChange } from '../log/change-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import { type ColumnRow, ColumnStore, columnRow } from './column-store.ts';
import { entryListScope, readEntryList } from './entry-list.ts';
import { sortKeyOf } from './entry-row.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The columns in the directory of an entry list. */
export interface StoredColumns {
  readonly fields: string;
  readonly chunks: Directory;
}

export interface ColumnScope extends CollectionScope {
  readonly modelId: string;
  readonly fields: readonly Field[];
  readonly variant: string;
}

export const entryColumns = new Collection<ColumnStore, ColumnRow, ColumnScope>({
  rowBytes: 1_000,
  addressOf: ({ createdAt = '', id }) => cmsEntrySortKey(createdAt, id),
  loadBase: async ({ table, scope, head }) => {
    const stored = await readStoredColumns(table, scope, head);
    containerMemory.makeRoom(bytesPerRow * (head.total ?? 0));
    const isUnstored = !stored && head.directory !== undefined;
    const rows = isUnstored
      ? await scanColumns(table.uncached(), scope)
      : await readColumnRows(table, scope, stored?.chunks ?? []);
    const store = new ColumnStore(rows, scope.fields);
    return { value: store, bytes: store.bytes };
  },
  concerns: ({ kind, modelId }, scope) => kind === 'cmsEntry' && modelId === scope.modelId,
  readRow: readChangedRow,
});

export async function readChangedRow(
  table: Table,
  { workspaceId, modelId, fields }: ColumnScope,
  { createdAt = '', id }: LoggedChange,
): Promise<StoredRow<ColumnRow>> {
  const entry = (await table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id))) as StoredEntry | undefined;
  return entry ? { revision: entry.revision, row: columnRow(entry, fields) } : { revision: null, row: undefined };
}

/** The approximate size of a row in bytes, while it is loaded. */
const bytesPerRow = 400;

export const columnScope = (workspace: WorkspaceScope, model: Model): ColumnScope => {
  const fields = columnsOf(model);
  return { ...entryListScope(workspace, model.id), modelId: model.id, fields, variant: columnsText(fields) };
};

/** The rows of stored chunks, oldest first. @throws StaleRead */
export async function readColumnRows(table: Table, scope: CollectionScope, chunks: Directory): Promise<ColumnRow[]> {
  const partIds = chunks.map(([partId]) => partId);
  return (await loadParts<ColumnRow[]>(table, scope, partIds)).flatMap(({ content }) => content);
}

/** The columns of a database: those of a base, with the rows that have changed since. */
export interface EntryColumns {
  /** Owns the data derived from the base. */
  readonly base: ColumnStore;
  /** The indices of the base's rows that are replaced. */
  readonly replaced: ReadonlySet<number>;
  /** The replacing rows, and those of new entries. */
  readonly changed: ColumnStore;
  /** Whether no import is writing to the entries. */
  readonly isExact: boolean;
}

/** Reads the columns of a database, and the entries that have changed since. @throws StaleRead */
export async function readEntryColumns(table: Table, workspace: WorkspaceScope, model: Model): Promise<EntryColumns> {
  const scope = columnScope(workspace, model);
  const state = await entryColumns.read(table, scope);
  return { base: state.base, ...overlayOf(state), isExact: state.isExact };
}

/** The stored columns of the head's base, if they have the current fields. @throws StaleRead */
export async function readStoredColumns(
  table: Table,
  scope: ColumnScope,
  { directory }: CollectionHead,
): Promise<StoredColumns | undefined> {
  if (directory === undefined) return undefined;
  const { columns: stored } = await readPart<{ readonly columns?: StoredColumns }>(table, scope, directory);
  return stored?.fields === scope.variant ? stored : undefined;
}

const overlayOf = derived(({ base, changed }: CollectionState<ColumnStore, ColumnRow>) => {
  const replaced = new Set([...changed.keys()].map((key) => base.indexOf(key)).filter((index) => index >= 0));
  return {
    replaced,
    changed: new ColumnStore(
      [...changed.values()].filter((row) => row !== undefined),
      base.fields,
    ),
  };
});

const entriesPerRange = 250;
const rangesPerBatch = 8;
/** Members of a row beside its cells. */
const rowAttributes = ['sk', 'id', 'published', 'updatedAt'];

/**
 * Reads columns from all entries, oldest first, of a database without valid stored ones. Access patterns X1, C1.
 * @throws StaleRead if an entry of the list no longer exists
 */
export async function scanColumns(table: Table, scope: ColumnScope): Promise<ColumnRow[]> {
  const sortKeys = (await (await readEntryList(table, scope, scope.modelId)).rows()).map(sortKeyOf);
  const rangeAt = (start: number) => readRows(table, scope, sortKeys.slice(start, start + entriesPerRange));
  const starts = [...sortKeys.keys()].filter((index) => index % entriesPerRange === 0);
  const rows: ColumnRow[] = [];
  for (let first = 0; first < starts.length; first += rangesPerBatch) {
    const batch = starts.slice(first, first + rangesPerBatch);
    for (const some of await Promise.all(batch.map(rangeAt))) rows.push(...some);
  }
  return rows;
}

async function readRows(
  table: Table,
  { workspaceId, modelId, fields }: ColumnScope,
  sortKeys: readonly string[],
): Promise<ColumnRow[]> {
  const [from = '', to = from] = [sortKeys[0], sortKeys.at(-1)];
  const rows: ColumnRow[] = [];
  const listed = new Set(sortKeys);
  // Most of an entry is text that no column needs, and reading it would take most of the time.
  const only = [...rowAttributes, ...fields.map(({ key }) => `values.${key}`)];
  for await (const item of table.query({ pk: keys.cmsEntries(workspaceId, modelId), from, to, only })) {
    if (listed.has(item.sk)) rows.push(columnRow({ ...item, values: item['values'] ?? {} } as StoredEntry, fields));
  }
  if (rows.length < sortKeys.length) throw new StaleRead();
  return rows;
}
