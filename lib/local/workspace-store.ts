import { tableClient } from '../table/client.ts';
import { createTable } from '../table/create-table.ts';
import { findWorkspace } from '../table/stored-workspace.ts';
import { Table } from '../table/table.ts';
import { type ImportResult, importDocument } from '../workspace/import-document.ts';
import { UnreadableDocument } from '../workspace/read-document.ts';
import { StartFailure } from './start-failure.ts';

/** What the local run needs of the service's own storage. */
export interface WorkspaceStore {
  /** Leaves a table that is there as it is. */
  createTable(): Promise<void>;
  hasWorkspace(workspaceId: string): Promise<boolean>;
  importWorkspace(file: string): Promise<ImportResult>;
}

/** The storage behind the environment's SDK settings. */
export function openWorkspaceStore(tableName: string): WorkspaceStore {
  const table = new Table({ client: tableClient('import'), name: tableName });
  return {
    createTable: () => createTable(tableName),
    hasWorkspace: async (workspaceId) => (await findWorkspace(table.fresh(), workspaceId)) !== undefined,
    importWorkspace: (file) =>
      importDocument(table.fresh(), file).catch((error) => {
        throw error instanceof UnreadableDocument ? new StartFailure(error.message) : error;
      }),
  };
}
