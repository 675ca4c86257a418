import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from './keys.ts';
import { recordOf } from './record-of.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** The workspaces of the table, by id. Access pattern W1. */
export async function listWorkspaces(table: Table): Promise<Workspace[]> {
  const items = await Array.fromAsync(table.query({ pk: keys.workspaces() }));
  return items.map((item) => recordOf<Workspace>(item));
}

export async function findWorkspace(table: Table, workspaceId: string): Promise<Workspace | undefined> {
  const item = await table.get(keys.workspace(workspaceId));
  return item && recordOf<Workspace>(item);
}

/** Stored with every change of a model or the languages. */
export interface CmsSchemaHead {
  readonly version: string;
  readonly languages: readonly string[];
}

export const readCmsSchemaHead = async (
  table: Table,
  { workspaceId }: WorkspaceScope,
): Promise<CmsSchemaHead | undefined> =>
  (await table.get(keys.cmsSchema(workspaceId))) as (Item & CmsSchemaHead) | undefined;

/** The languages of a workspace in its order, from one small read. */
export const readLanguages = async (table: Table, scope: WorkspaceScope): Promise<readonly string[]> =>
  (await readCmsSchemaHead(table, scope))?.languages ?? [];
