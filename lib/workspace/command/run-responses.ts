import { inFormOrder } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { responsesAsCsv, responsesAsJson } from '#lib/domain/forms/responses-document.ts';
import { filesOfAnswers } from '#lib/forms/answered-files.ts';
import { FormResponses } from '#lib/table/forms/form-responses.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import type { Table } from '#lib/table/table.ts';
import { CommandFailure } from './command-failure.ts';
import type { Command } from './command-line.ts';
import { requireWorkspace } from './require-workspace.ts';
import type { Terminal } from './terminal.ts';

/**
 * `responses --workspace ID --form SLUG`: prints all responses, with one page of the table in memory.
 * @param baseUrl of the addresses of files, without a slash at its end
 */
export async function runResponses(
  { workspaceId, slug, format }: Extract<Command, { readonly name: 'responses' }>,
  table: Table,
  terminal: Terminal,
  baseUrl: string,
): Promise<void> {
  await requireWorkspace(table, workspaceId);
  const form = await new Forms(table, { workspaceId }).findBySlug(slug);
  if (!form) throw new CommandFailure(`The workspace ${workspaceId} has no form ${slug}.`);
  const responses = terminal
    .progress('Reading responses')
    .counting(new FormResponses(table, { workspaceId }).all(form.id));
  await terminal.write(
    format === 'csv'
      ? responsesAsCsv(inFormOrder(form.fields), withFiles(table, workspaceId, responses, baseUrl))
      : responsesAsJson(responses),
  );
}

async function* withFiles(table: Table, workspaceId: string, responses: AsyncIterable<FormResponse>, baseUrl: string) {
  for await (const response of responses) yield* await filesOfAnswers(table, { workspaceId }, [response], baseUrl);
}
