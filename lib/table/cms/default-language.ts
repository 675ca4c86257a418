import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Table } from '../table.ts';

/** The default language of a workspace. Access pattern W1. */
export async function readDefaultLanguage(table: Table, { workspaceId }: WorkspaceScope): Promise<string> {
  const item = await table.get(keys.workspace(workspaceId));
  return item ? recordOf<Workspace>(item).defaultLanguage : '';
}
