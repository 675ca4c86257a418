import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Table } from './table.ts';

/** The stored records of one workspace, made for a caller of it. No caller can name another workspace. */
export abstract class Repository implements WorkspaceScope {
  protected readonly table: Table;
  readonly workspaceId: string;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.table = table;
    this.workspaceId = workspaceId;
  }
}
