import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, columnsText } from '#lib/domain/cms/columns.ts';
import { Collection, type CollectionState, type StoredRow } from '../collection/collection.ts';
import type { CollectionHead, CollectionScope } from '../collection/head.ts';
import { chunkRows, type Directory, loadParts, type PartItem, readPart, type StoreParts } from '../collection/parts.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import type { LoggedChange } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import type { Table } from '../table.ts';
import { type ColumnRow, ColumnStore, columnRow } from './column-store.ts';
import { entryListScope } from './entry-list.ts';
import { scanColumns } from './scan-entries.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The columns in the directory of an entry list. */
export interface StoredColumns {
  /** The fields of the columns. */
  readonly fields: string;
  readonly chunks: Directory;
}

interface StoredParts {
  readonly columns?: StoredColumns;
}

export interface ColumnBase {
  readonly store: ColumnStore;
  /** Undefined if the rows were made from the entries. */
  readonly stored: StoredColumns | undefined;
}

type ColumnState = CollectionState<ColumnBase, ColumnRow>;

export interface ColumnScope extends CollectionScope {
  readonly modelId: string;
  readonly fields: readonly Field[];
  readonly fieldsText: string;
}

const columns = new Collection<ColumnBase, ColumnRow, ColumnScope>({
  rowBytes: 1_000,
  variantOf: ({ fieldsText }) => fieldsText,
  addressOf: ({ createdAt = '', id }) => cmsEntrySortKey(createdAt, id),
  loadBase: async ({ table, scope, head, makeRoom }) => {
    const parts = head.directory === undefined ? undefined : await readPart<StoredParts>(table, scope, head.directory);
    const stored = parts && storedFor(scope, parts.columns);
    makeRoom(bytesPerRow * (head.total ?? 0));
    const rows = await rowsOf(table, scope, parts, stored);
    const store = new ColumnStore(rows, scope.fields);
    return { value: { store, stored }, bytes: store.bytes };
  },
  concerns: ({ kind, modelId }, scope) => kind === 'cmsEntry' && modelId === scope.modelId,
  readRow: readChangedRow,
});

async function rowsOf(
  table: Table,
  scope: ColumnScope,
  parts: StoredParts | undefined,
  stored: StoredColumns | undefined,
): Promise<ColumnRow[]> {
  // Without a base, the log has all entries.
  if (!parts) return [];
  if (stored) return readColumnRows(table, scope, stored.chunks);
  return scanColumns(table.uncached(), scope, scope.modelId, scope.fields);
}

async function readChangedRow(
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
  return { ...entryListScope(workspace, model.id), modelId: model.id, fields, fieldsText: columnsText(fields) };
};

/** The stored columns, if they have the current fields. */
const storedFor = ({ fieldsText }: ColumnScope, stored: StoredColumns | undefined): StoredColumns | undefined =>
  stored?.fields === fieldsText ? stored : undefined;

/** The rows of stored chunks, oldest first. @throws StaleRead */
export async function readColumnRows(table: Table, scope: CollectionScope, chunks: Directory): Promise<ColumnRow[]> {
  const partIds = chunks.map(([partId]) => partId);
  return (await loadParts(table, scope, partIds, (rows: ColumnRow[]) => rows)).flat();
}

/** The columns of a database: those of a base, with the rows that have changed since. */
export interface EntryColumns {
  /** Owns the data derived from the base. */
  readonly base: ColumnBase;
  /** The indices of the base's rows that are replaced. */
  readonly replaced: ReadonlySet<number>;
  /** The replacing rows, and those of new entries. */
  readonly changed: readonly ColumnRow[];
  readonly fields: readonly Field[];
  /** Whether an import is writing to the entries. */
  readonly isExact: boolean;
}

/** Reads the columns of a database, and the entries that have changed since. @throws StaleRead */
export async function readEntryColumns(table: Table, workspace: WorkspaceScope, model: Model): Promise<EntryColumns> {
  const scope = columnScope(workspace, model);
  const state = await columns.read(table, scope);
  return { base: state.base, ...overlayOf(state), fields: scope.fields, isExact: state.isExact };
}

/** The stored columns of the head's base, if they are valid. @throws StaleRead */
export async function readStoredColumns(
  table: Table,
  scope: ColumnScope,
  head: CollectionHead,
): Promise<StoredColumns | undefined> {
  if (head.directory === undefined) return undefined;
  return storedFor(scope, (await readPart<StoredParts>(table, scope, head.directory)).columns);
}

/** The current rows of stored columns, for the writer of the next base. @throws StaleRead */
export async function currentColumnRows(table: Table, scope: ColumnScope, stored: StoredColumns) {
  const { changed } = await columns.read(table, scope);
  const rows = new Map((await readColumnRows(table, scope, stored.chunks)).map((row) => [row[0], row]));
  for (const [key, row] of changed) {
    if (row) rows.set(key, row);
    else rows.delete(key);
  }
  return { rows, changed };
}

/** The current rows of the entries in the log, by key, for an import. */
export async function loggedColumnRows(table: Table, scope: ColumnScope): Promise<ReadonlyMap<string, ColumnRow>> {
  const { changes } = await readLog(table, scope);
  const own = changes.filter(({ kind, modelId }) => kind === 'cmsEntry' && modelId === scope.modelId);
  const rows = await Promise.all(own.map((change) => readChangedRow(table, scope, change)));
  return new Map(rows.flatMap(({ row }) => (row ? [[row[0], row] as const] : [])));
}

function overlayOf({ base: { store }, changed }: ColumnState): Pick<EntryColumns, 'replaced' | 'changed'> {
  const replaced = [...changed.keys()].map((key) => store.indexOf(key)).filter((index) => index >= 0);
  return { replaced: new Set(replaced), changed: [...changed.values()].filter((row) => row !== undefined) };
}

/**
 * The parts of a new base that are not stored yet, and its directory.
 * @param store stores the parts; without it they are returned
 */
export async function columnParts(
  { workspaceId, collection, fieldsText }: ColumnScope,
  rows: Iterable<ColumnRow> | AsyncIterable<ColumnRow>,
  before: StoredColumns | undefined,
  store?: StoreParts,
): Promise<{ readonly unstored: readonly PartItem[]; readonly columns: StoredColumns }> {
  async function* positioned() {
    for await (const row of rows) yield { position: row[0], row };
  }
  const { directory, unstored } = await chunkRows(
    { workspaceId, collection },
    positioned(),
    before?.chunks ?? [],
    store,
  );
  return { unstored, columns: { fields: fieldsText, chunks: directory } };
}

/** The ids of the parts that contain the columns of a list. */
export const columnPartIds = (stored: object): string[] =>
  ((stored as Partial<StoredParts>).columns?.chunks ?? []).map(([partId]) => partId);
