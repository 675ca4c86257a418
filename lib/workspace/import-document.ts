import { isObject } from '#lib/domain/input.ts';
import { WorkspaceId } from '#lib/domain/workspace.ts';
import { documentKinds, isKind, type Kind, kindOf, kinds, type ParsedRecord } from '#lib/kinds/kinds.ts';
import { withImportLease } from '#lib/table/import/import-lease.ts';
import { type Removed, WorkspaceWriter, type WriteSummary } from '#lib/table/import/workspace-writer.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { DocumentSource, Finding } from './document-item.ts';
import type { DocumentLookup } from './document-lookup.ts';
import {
  addressOf as addressIn,
  type Comparable,
  ConcurrentEditCollector,
  comparable,
  type Edit,
  findEdits,
  isDifferent,
  keepEdits,
} from './edits.ts';
import { type ExportedRecord, exportRecords } from './export-records.ts';
import { storedLocation } from './orphaned-records.ts';
import { readDocument } from './read-document.ts';
import { parsedRecords, type Validation, validateDocument, workspaceOf } from './validate-document.ts';

/** Treatment of records that were edited through the service since the export. */
export type EditsDecision = 'undo' | 'keep' | 'stop';

export interface ImportOptions {
  /** Also removes stored records that are missing from the document, for each kind in the document. */
  readonly prune?: boolean;
  /** Checks the document, and finds the edits and what `prune` would remove, without changing anything. */
  readonly dryRun?: boolean;
  /**
   * Called when the import would undo edits. By default they are undone.
   * @param failures the failures that only kept edits can resolve
   */
  readonly onEdits?: (edits: readonly Edit[], failures: readonly Finding[]) => Promise<EditsDecision>;
  /** Treatment of edits that are made while the import runs. @default 'undo' */
  readonly concurrentEdits?: 'undo' | 'keep';
  /** Observes every record before it is written. */
  readonly watch?: (records: AsyncIterable<ParsedRecord>, total: number) => AsyncIterable<ParsedRecord>;
  /** Writes the stored records that are changed or removed, before anything is. */
  readonly backup?: ((records: AsyncIterable<ExportedRecord>) => Promise<void>) | undefined;
  /** Whether a service begins with the document: that is no event (lib/spec/additions.md section 5). */
  readonly isBeginning?: boolean;
  /** Called when this import waits for another one of the same workspace. */
  readonly onWait?: () => void;
}

/** What an import has written, or a dry run would write. */
export interface ImportResult extends WriteSummary {
  readonly workspaceId: string;
  /** If not empty, nothing was imported. */
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly counts: Validation['counts'];
  /** Edits that the import would undo or has undone. */
  readonly edits: readonly Edit[];
  /** Edits that were made while the import ran. It has treated them as the option says. */
  readonly concurrentEdits: readonly Edit[];
  /** Whether the document has `exportedAt`, so that some failures are warnings. */
  readonly isExport: boolean;
}

/**
 * Checks a workspace document and writes it if it has no failure (lib/spec/workspace-document.md section 2). A
 * stopped import can be repeated: counts and orders show either the old state or the new one.
 * @throws Failure, Unavailable
 */
export async function importDocument(table: Table, file: string, options: ImportOptions = {}): Promise<ImportResult> {
  const read: DocumentSource = () => readDocument(file);
  const workspaceId = await findWorkspaceId(read);
  // The lease keeps the stored records unchanged between check and write. Without an id, nothing is written.
  if (workspaceId === undefined) return checkAndWrite(table, read, options, async () => undefined);
  return withImportLease(
    table,
    workspaceId,
    (leasedTable, hold) => checkAndWrite(leasedTable, read, options, hold),
    options.onWait ?? (() => undefined),
  );
}

/** @param hold names the kinds whose writes wait; before, all wait */
async function checkAndWrite(
  table: Table,
  source: DocumentSource,
  options: ImportOptions,
  hold: (kinds: readonly Kind[]) => Promise<void>,
): Promise<ImportResult> {
  const { prune = false, dryRun = false, onEdits = async () => 'undo' } = options;
  const check = (read: DocumentSource): Promise<Validation> =>
    validateDocument(read, { stored: (workspaceId) => new StoredWorkspace(table, workspaceId), prune });
  const validation = await check(source);
  const { failures } = validation;
  if (failures.some(isOfDocument)) return unwritten(validation);
  await hold(heldKinds(Object.keys(validation.counts).filter(isKind)));
  const edits = await findEdits(table, source, validation);
  const decision = edits.length > 0 ? await onEdits(edits, failures) : 'undo';
  const read = decision === 'keep' ? keepEdits(source, { table, edits, lookup: validation.lookup }) : source;
  const checked = decision === 'keep' ? await check(read) : validation;
  if (checked.failures.length > 0 || decision === 'stop') return unwritten(checked, edits);
  if (dryRun) return { ...unwritten(checked, edits), removed: await plannedRemovals(checked.lookup) };
  const { workspaceId = '' } = checked;
  if (options.backup && (await findWorkspace(table, workspaceId)))
    await options.backup(recordsToChange(table, read, checked, workspaceId));
  const { exportedAt } = checked.lookup.index;
  const concurrentEdits = new ConcurrentEditCollector({
    edits,
    exportedAt,
    decision: options.concurrentEdits ?? 'undo',
  });
  const written = await write(table, read, checked, concurrentEdits, options);
  const warnings = [...written.warnings, ...concurrentEdits.stayed];
  return { ...written, warnings, edits: concurrentEdits.others, concurrentEdits: concurrentEdits.found };
}

type Identified = Parameters<typeof addressIn>[1];

/**
 * The stored records that the import of a checked document changes or removes, behind the workspace record: with them,
 * a second import undoes the first (lib/spec/workspace-document.md section 5). Records that the import adds stay then.
 */
async function* recordsToChange(
  table: Table,
  read: DocumentSource,
  validation: Validation,
  workspaceId: string,
): AsyncGenerator<ExportedRecord> {
  const { lookup } = validation;
  const named = new Map<string, Comparable>();
  for await (const { kind, record } of parsedRecords(read, validation)) {
    named.set(addressIn(kind, record), comparable(kind, record));
  }
  for await (const exported of exportRecords(table, workspaceId)) {
    const { kind, record } = exported;
    const identified = record as Identified;
    const after = named.get(addressIn(kind, identified));
    const isChanged = after
      ? isDifferent(comparable(kind, record), after)
      : lookup.isUnnamedRemoved(kind, identified.modelId);
    if (kind === 'workspace' || isChanged) yield exported;
  }
}

/** The other failures concern stored records that refer to a removed record. That record stays if it is a kept edit. */
const isOfDocument = ({ location }: Finding): boolean => location !== storedLocation;

const unwritten = (validation: Validation, edits: Edit[] = []): ImportResult => {
  const { workspaceId = '', failures, warnings, counts, lookup } = validation;
  const nothing = { changed: 0, removed: {}, newSecrets: [], concurrentEdits: [] };
  return { workspaceId, failures, warnings, counts, edits, isExport: lookup.isExport, ...nothing };
};

/** The id of the document's workspace, unless it is missing or malformed. */
export async function findWorkspaceId(read: DocumentSource): Promise<string | undefined> {
  for await (const item of read()) {
    if ('failure' in item || item.kind !== 'workspace') continue;
    const { data } = WorkspaceId.safeParse(isObject(item.record) ? item.record['id'] : undefined);
    return data;
  }
  return undefined;
}

async function write(
  table: Table,
  read: DocumentSource,
  validation: Validation,
  concurrentEdits: ConcurrentEditCollector,
  options: ImportOptions,
): Promise<Omit<ImportResult, 'edits' | 'concurrentEdits'>> {
  const { lookup, warnings, counts } = validation;
  lookup.index.clearNames();
  const workspace = await workspaceOf(read, validation);
  const writer = new WorkspaceWriter({
    table,
    workspace,
    modelOf: (modelId) => lookup.model(modelId),
    addressOf,
    importedAt: new Date().toISOString(),
    concurrentEdits,
    isBeginning: options.isBeginning,
  });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const records = parsedRecords(read, validation);
  try {
    for await (const { kind, record } of options.watch?.(records, total) ?? records) {
      await writer.write(kind, record);
    }
    const summary = await writer.finish(options.prune ?? false);
    return { workspaceId: workspace.id, failures: [], warnings, counts, isExport: lookup.isExport, ...summary };
  } finally {
    writer.close();
  }
}

/** Conversations and messages have events, but no management. */
function addressOf(kind: string): string {
  const { managed, events } = isKind(kind) ? kindOf(kind) : {};
  return managed?.path ?? events?.path ?? kind;
}

/** An import always reads and writes the version of the databases and languages. */
const alwaysHeld: readonly Kind[] = ['workspace', 'cmsModel'];

/** The kinds whose records must exist for a record of this kind. */
const requiredKinds = (kind: Kind): readonly string[] =>
  kind === 'cmsEntry'
    ? ['cmsModel']
    : (kindOf(kind).references ?? []).flatMap(({ to, mayBeAbsent }) =>
        mayBeAbsent || typeof to !== 'string' ? [] : to,
      );

/**
 * The kinds whose writes wait for the end of an import (lib/spec/additions.md section 2, large changes): those of the
 * document, those that its records require, and those that require its records.
 */
const heldKinds = (documentKinds: readonly Kind[]): Kind[] =>
  kinds.filter(
    (kind) =>
      alwaysHeld.includes(kind) ||
      documentKinds.includes(kind) ||
      documentKinds.some((other) => requiredKinds(kind).includes(other) || requiredKinds(other).includes(kind)),
  );

/** The numbers of stored records that the import of a checked document with `--prune` removes, by kind. */
async function plannedRemovals(lookup: DocumentLookup): Promise<Removed> {
  const removed: Partial<Record<keyof Removed, number>> = {};
  for (const kind of documentKinds) {
    if (kind === 'workspace') continue;
    let count = 0;
    for await (const _ of kind === 'cmsEntry' ? lookup.removedEntryIds() : lookup.removedIds(kind)) count++;
    if (count > 0) removed[kind] = count;
  }
  return removed;
}
