import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { CheckedAnswers } from '#lib/domain/forms/form-answers.ts';
import type { FormField } from '#lib/domain/forms/form-field.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { objectSizeOnDemand } from '#lib/files/object-size-on-demand.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import type { Table } from '#lib/table/table.ts';

/** Issues for FILE answers with ids that are not stored in the workspace or not readable yet. */
export async function missingFiles(
  table: Table,
  scope: WorkspaceScope,
  fields: readonly FormField[],
  answers: CheckedAnswers['answers'],
): Promise<Issue[]> {
  const answersByRef = new Map(Object.entries(answers));
  const named = fields
    .filter(({ type }) => type === 'FILE')
    .map(({ ref }) => ({ ref, ids: [answersByRef.get(ref) ?? []].flat().map(String) }));
  const readable = await new Attachments(table, scope).readable(
    named.flatMap(({ ids }) => ids),
    objectSizeOnDemand,
  );
  return named
    .filter(({ ids }) => !ids.every((id) => readable.has(id)))
    .map(({ ref }) => ({
      path: ref,
      code: 'not_allowed',
      message: `${ref}: Must be ids of uploaded files of the workspace.`,
    }));
}
