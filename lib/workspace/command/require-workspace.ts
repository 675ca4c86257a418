import type { Workspace } from '#lib/domain/workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { CommandFailure } from './terminal.ts';

/** Reads the workspace of a command. @throws CommandFailure when it does not exist */
export async function requireWorkspace(table: Table, workspaceId: string): Promise<Workspace> {
  const workspace = await findWorkspace(table.uncached(), workspaceId);
  if (!workspace) throw new CommandFailure(`There is no workspace ${workspaceId}.`);
  return workspace;
}
