import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, columnsText } from '#lib/domain/cms/columns.ts';
import { type Base, Collection, type CollectionState, type StoredRow } from '../collection/collection.ts';
import type { CollectionHead, CollectionScope } from '../collection/head.ts';
import { type LoggedChange, readCachedLog, readLog } from '../collection/log.ts';
import { chunkRows, type Directory, loadParts, type PartItem, readPart, type StoreParts } from '../collection/parts.ts';
import { updateMillisecondsMax } from '../dynamodb/clock.ts';
import { cmsEntrySortKey, keys } from '../keys.ts';
import { textBytes } from '../memory/container-memory.ts';
import type { Table } from '../table.ts';
import { type ColumnRow, ColumnStore, columnRow } from './column-store.ts';
import { entryListScope } from './entry-list.ts';
import { scanColumns } from './scan-entries.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The columns in the directory of an entry list. */
export interface StoredColumns {
  /** The fields of the columns. */
  readonly fields: string;
  /** The head's `columns` at the time they were made. */
  readonly epoch?: string | undefined;
  readonly chunks: Directory;
}

interface StoredParts {
  readonly columns?: StoredColumns;
  readonly consumed: readonly string[];
}

export interface ColumnBase extends Base {
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
  hasColumns: true,
  variantOf: ({ fieldsText }) => fieldsText,
  addressOf: ({ createdAt = '', id }) => cmsEntrySortKey(createdAt, id),
  loadBase: async ({ table, scope, head, makeRoom }) => {
    const parts = head.directory === undefined ? undefined : await readPart<StoredParts>(table, scope, head.directory);
    const stored = parts && storedFor(scope, head, parts.columns);
    makeRoom(bytesPerRow * (head.total ?? 0));
    const rows = stored
      ? await readColumnRows(table, scope, stored.chunks)
      : await scanColumns(table.uncached(), scope, scope.modelId, scope.fields);
    const value = { store: new ColumnStore(rows, scope.fields), stored, consumed: new Set(parts?.consumed) };
    // An update that began before these columns may still change an entry without a log item.
    const isExact = stored !== undefined || isColumnEpochPublished(head);
    const bytes = value.store.bytes + (parts?.consumed ?? []).reduce((sum, id) => sum + textBytes(id), 0);
    return { value, bytes, isExact };
  },
  readRow: readChangedRow,
});

async function readChangedRow(
  table: Table,
  { workspaceId, modelId, fields }: ColumnScope,
  { createdAt = '', id }: LoggedChange,
): Promise<StoredRow<ColumnRow>> {
  const entry = (await table.get(keys.cmsEntry(workspaceId, modelId, createdAt, id))) as StoredEntry | undefined;
  return entry ? { revision: entry.revision, row: columnRow(entry, fields) } : { revision: null, row: undefined };
}

/** The maximum time from a change of the columns to the publication of their schema. */
const publishingMillisecondsMax = 7_000;

/** The approximate size of a row in bytes, while it is loaded. */
const bytesPerRow = 400;

export const isColumnEpochPublished = ({ columns: epoch = '' }: CollectionHead): boolean =>
  epoch === '' || Number(epoch.split('.')[0]) < Date.now() - publishingMillisecondsMax - updateMillisecondsMax;

export const columnScope = (workspace: WorkspaceScope, model: Model): ColumnScope => {
  const fields = columnsOf(model);
  return { ...entryListScope(workspace, model.id), modelId: model.id, fields, fieldsText: columnsText(fields) };
};

/** The stored columns, if they have the current fields and epoch. */
const storedFor = (
  { fieldsText }: ColumnScope,
  head: CollectionHead,
  stored: StoredColumns | undefined,
): StoredColumns | undefined => (stored?.fields === fieldsText && stored.epoch === head.columns ? stored : undefined);

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

/** Starts the read of the log with the update times. */
export const warmUpdatedAt = (table: Table, workspace: WorkspaceScope, modelId: string): Promise<unknown> =>
  readCachedLog(table, entryListScope(workspace, modelId));

/**
 * Takes one small read without changes, and otherwise also reads the entries with changed columns.
 * @param usesUpdatedAt whether `updatedAt` is needed: then the log is read with the head
 * @throws StaleRead
 */
export async function readEntryColumns(
  table: Table,
  workspace: WorkspaceScope,
  model: Model,
  { usesUpdatedAt }: { readonly usesUpdatedAt: boolean },
): Promise<EntryColumns> {
  const scope = columnScope(workspace, model);
  const { fields } = scope;
  const state = await columns.read(table, scope, { usesUpdatedAt });
  if (state) return { base: state.base, ...overlayOf(state), fields, isExact: state.isExact };
  const base = { store: new ColumnStore([], fields), stored: undefined, consumed: new Set<string>() };
  return { base, replaced: new Set(), changed: [], fields, isExact: true };
}

/** The stored columns of the head's base, if they are valid. @throws StaleRead */
export async function readStoredColumns(
  table: Table,
  scope: ColumnScope,
  head: CollectionHead,
): Promise<StoredColumns | undefined> {
  if (head.directory === undefined) return undefined;
  return storedFor(scope, head, (await readPart<StoredParts>(table, scope, head.directory)).columns);
}

/**
 * The current rows of stored columns, for the writer of the next base.
 * @returns the rows, and the log items that they include
 * @throws StaleRead
 */
export async function currentColumnRows(table: Table, scope: ColumnScope, stored: StoredColumns) {
  const state = await columns.read(table, scope, { usesUpdatedAt: true });
  const rows = new Map((await readColumnRows(table, scope, stored.chunks)).map((row) => [row[0], row]));
  const changed = state?.changed ?? new Map<string, ColumnRow | undefined>();
  for (const [key, row] of changed) {
    if (row) rows.set(key, row);
    else rows.delete(key);
  }
  return { rows, changed: new Set(changed.keys()), applied: state?.applied ?? new Set<string>() };
}

/** The current rows of the entries in the log, by key, for an import. */
export async function loggedColumnRows(table: Table, scope: ColumnScope): Promise<ReadonlyMap<string, ColumnRow>> {
  const rows = await Promise.all((await readLog(table, scope)).map((change) => readChangedRow(table, scope, change)));
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
  epoch: string | undefined,
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
  return { unstored, columns: { fields: fieldsText, epoch, chunks: directory } };
}

/** The ids of the parts that contain the columns of a list. */
export const columnPartIds = (stored: object): string[] =>
  ((stored as Partial<StoredParts>).columns?.chunks ?? []).map(([partId]) => partId);
