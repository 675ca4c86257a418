import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from './keys.ts';
import { recordOf, type Table } from './table.ts';

/** The workspaces of the table, by id. Access pattern W1. */
export async function listWorkspaces(table: Table): Promise<Workspace[]> {
  const items = await table.all({ pk: keys.workspaces() });
  return items.map((item) => recordOf<Workspace>(item));
}
