import { inFormOrder } from '#lib/domain/form.ts';
import { FormResponses } from '#lib/table/form-responses.ts';
import { Forms } from '#lib/table/forms.ts';
import { findWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { responsesAsCsv, responsesAsJson } from '../form-responses-document.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import type { Terminal } from './terminal.ts';

/** `responses --workspace ID --form SLUG`: prints all responses, with one page of the table in memory. */
export async function runResponses(
  { workspaceId, slug, format }: Extract<Command, { readonly name: 'responses' }>,
  table: Table,
  terminal: Terminal,
): Promise<void> {
  if (!(await findWorkspace(table.fresh(), workspaceId)))
    throw new CommandFailure(`There is no workspace ${workspaceId}.`);
  const form = await new Forms(table, { workspaceId }).findBySlug(slug);
  if (!form) throw new CommandFailure(`The workspace ${workspaceId} has no form ${slug}.`);
  const responses = terminal
    .progress('Reading responses')
    .counting(new FormResponses(table, { workspaceId }).all(form.id));
  await terminal.write(
    format === 'csv' ? responsesAsCsv(inFormOrder(form.fields), responses) : responsesAsJson(responses),
  );
}
