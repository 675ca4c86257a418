import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { listWorkspaces } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { databaseTypes } from '../database-types.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import type { Terminal } from './terminal.ts';

type TypesCommand = Extract<Command, { readonly name: 'types' }>;

/** Prints TypeScript types of a workspace's CMS databases. @throws CommandFailure */
export async function runTypes({ workspaceId }: TypesCommand, table: Table, terminal: Terminal): Promise<void> {
  const workspaces = await listWorkspaces(table);
  if (!workspaces.some(({ id }) => id === workspaceId)) {
    throw new CommandFailure(`There is no workspace ${workspaceId}.`);
  }
  const { models } = await readCmsSchema(table, { workspaceId });
  terminal.print(databaseTypes([...models.values()]).trimEnd());
}
