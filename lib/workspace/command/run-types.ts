import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { Table } from '#lib/table/table.ts';
import { databaseTypes } from '../database-types.ts';
import type { Command } from './command-line.ts';
import { requireWorkspace } from './require-workspace.ts';
import type { Terminal } from './terminal.ts';

type TypesCommand = Extract<Command, { readonly name: 'types' }>;

/** Prints TypeScript types of a workspace's CMS databases. @throws CommandFailure */
export async function runTypes({ workspaceId }: TypesCommand, table: Table, terminal: Terminal): Promise<void> {
  await requireWorkspace(table, workspaceId);
  const { models } = await readCmsSchema(table, { workspaceId });
  terminal.print(databaseTypes([...models.values()]).trimEnd());
}
