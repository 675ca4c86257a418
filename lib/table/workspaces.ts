import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from './keys.ts';
import type { ChangeLog, LogState } from './log/change-log.ts';
import { recordOf, type Table, type WorkspaceScope } from './table.ts';

/** Access pattern W1. */
export async function findWorkspace(table: Table, workspaceId: string): Promise<Workspace | undefined> {
  const item = await table.get(keys.workspace(workspaceId));
  return item && recordOf<Workspace>(item);
}

/** The version of the CMS databases and the languages of their texts. It changes with them. */
export interface CmsSchemaHead {
  readonly version: string;
  readonly languages: readonly string[];
}

/** One small read, or none if the request reads the log. Access pattern X2. */
export async function readCmsSchemaHead(
  table: Table,
  { workspaceId }: WorkspaceScope,
): Promise<CmsSchemaHead | undefined> {
  const log = table.begun<ChangeLog>(keys.log(workspaceId));
  const state = log ? (await log).state : ((await table.get(keys.logState(workspaceId))) as LogState | undefined);
  return state?.schema === undefined ? undefined : { version: state.schema, languages: state.languages ?? [] };
}

/** The languages of a workspace in its order, from one small read. */
export const readLanguages = async (table: Table, scope: WorkspaceScope): Promise<readonly string[]> =>
  (await readCmsSchemaHead(table, scope))?.languages ?? [];
