import { ApiKeyRecords } from '../table/access/api-key-records.ts';
import { tableClient } from '../table/dynamodb/client.ts';
import { createTable } from '../table/dynamodb/create-table.ts';
import { Table } from '../table/table.ts';
import { findWorkspace } from '../table/workspaces.ts';
import { findWorkspaceId, type ImportResult, importDocument } from '../workspace/import-document.ts';
import { readDocument, UnreadableDocument } from '../workspace/read-document.ts';
import { StartFailure } from './start-failure.ts';

/** The storage calls of the local run. */
export interface WorkspaceStore {
  readonly table: Table;
  /** Creates the table if it does not exist. */
  createTable(): Promise<void>;
  /** Finds the stored workspace of a document. @returns its id */
  findStored(file: string): Promise<string | undefined>;
  /** True if a workspace has an API key that is valid now. */
  hasUsableKey(workspaceId: string): Promise<boolean>;
  importWorkspace(file: string): Promise<ImportResult>;
}

/** Opens the storage with the environment's SDK settings. */
export function openWorkspaceStore(tableName: string): WorkspaceStore {
  const table = new Table({ client: tableClient('import'), name: tableName });
  return {
    table,
    createTable: () => createTable(tableName),
    findStored: async (file) => {
      const workspaceId = await findWorkspaceId(() => readDocument(file)).catch(asStartFailure);
      if (workspaceId === undefined) return undefined;
      return (await findWorkspace(table.uncached(), workspaceId)) && workspaceId;
    },
    hasUsableKey: (workspaceId) => hasUsableKey(table.uncached(), workspaceId),
    importWorkspace: (file) => importDocument(table.uncached(), file, { isBeginning: true }).catch(asStartFailure),
  };
}

async function hasUsableKey(table: Table, workspaceId: string): Promise<boolean> {
  const records = new ApiKeyRecords(table, { workspaceId }, 'operator');
  const active = new Set((await records.members()).filter(({ active }) => active).map(({ id }) => id));
  const isUsable = (time: string | null): boolean => time === null || Date.parse(time) > Date.now();
  return (await records.list()).some(
    ({ memberId, expiresAt, revokedAt }) =>
      [expiresAt, revokedAt].every(isUsable) && (memberId === null || active.has(memberId)),
  );
}

function asStartFailure(error: unknown): never {
  throw error instanceof UnreadableDocument ? new StartFailure(error.message) : error;
}
