import { WorkspaceId } from '#lib/domain/identifier.ts';
import type { NewSecret } from '#lib/table/import/access-writer.ts';
import { withImportLease } from '#lib/table/import/import-lease.ts';
import { WorkspaceWriter } from '#lib/table/import/workspace-writer.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import type { ParsedRecord } from './document-kinds.ts';
import type { Finding } from './finding.ts';
import { isObject } from './json-object.ts';
import { readDocument } from './read-document.ts';
import { parsedRecords, type Validation, validateDocument, workspaceOf } from './validate-document.ts';

export interface ImportOptions {
  /** Also removes records of the kinds in the document that it does not name. */
  readonly prune?: boolean;
  /** Sees every record on its way to the table. */
  readonly watch?: (records: AsyncIterable<ParsedRecord>, total: number) => AsyncIterable<ParsedRecord>;
  /** Another import of the workspace is running, and this one waits for it. */
  readonly onWait?: () => void;
}

export interface ImportResult {
  readonly workspaceId: string;
  /** With one of them, nothing was imported. */
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly counts: Validation['counts'];
  /** Records that were new, different or removed. */
  readonly changed: number;
  readonly newSecrets: readonly NewSecret[];
}

/**
 * Checks a workspace document and, with nothing wrong in it, writes it (lib/spec/workspace-document.md section 2). It
 * can be stopped and run again at any point: what readers count and order is the old state or the new one.
 * @throws UnreadableDocument, Unavailable
 */
export async function importDocument(table: Table, file: string, options: ImportOptions = {}): Promise<ImportResult> {
  const { prune = false, onWait = () => undefined } = options;
  const run = async (held: Table): Promise<ImportResult> => {
    const stored = (workspaceId: string) => new StoredWorkspace(held, workspaceId);
    const validation = await validateDocument(file, { stored, prune });
    const { workspaceId = '', failures, warnings, counts } = validation;
    if (failures.length > 0) return { workspaceId, failures, warnings, counts, changed: 0, newSecrets: [] };
    return write(held, file, validation, options);
  };
  const workspaceId = await findWorkspaceId(file);
  // What is stored must not change between the check and the writing. Without an id, nothing will be written.
  if (workspaceId === undefined) return run(table);
  return withImportLease(table, workspaceId, run, onWait);
}

/** The id of the document's workspace, unless it is missing or malformed. */
async function findWorkspaceId(file: string): Promise<string | undefined> {
  for await (const item of readDocument(file)) {
    if ('failure' in item || item.kind !== 'workspace') continue;
    const { data } = WorkspaceId.safeParse(isObject(item.record) ? item.record['id'] : undefined);
    return data;
  }
  return undefined;
}

async function write(
  table: Table,
  file: string,
  validation: Validation,
  options: ImportOptions,
): Promise<ImportResult> {
  const { known, warnings, counts } = validation;
  known.index.forgetNames();
  const workspace = await workspaceOf(file, validation);
  const writer = new WorkspaceWriter({
    table,
    workspace,
    modelOf: (modelId) => known.model(modelId),
    importedAt: new Date().toISOString(),
  });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const records = parsedRecords(file, validation);
  for await (const { kind, record } of options.watch?.(records, total) ?? records) {
    await writer.write(kind, record);
  }
  const { changed, newSecrets } = await writer.finish(options.prune ?? false);
  return { workspaceId: workspace.id, failures: [], warnings, counts, changed, newSecrets };
}
