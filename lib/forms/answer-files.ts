import type { CheckedAnswers } from '#lib/domain/form-answers.ts';
import type { FormField } from '#lib/domain/form-field.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { Attachments, type ObjectSize } from '#lib/table/attachments.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';

/** Issues for FILE answers with ids that are not stored in the workspace or not readable yet. */
export async function missingFiles(
  table: Table,
  scope: WorkspaceScope,
  fields: readonly FormField[],
  answers: CheckedAnswers['answers'],
): Promise<Issue[]> {
  const given = new Map(Object.entries(answers));
  const named = fields
    .filter(({ type }) => type === 'FILE')
    .map(({ ref }) => ({ ref, ids: [given.get(ref) ?? []].flat().map(String) }));
  const readable = await new Attachments(table, scope).readable(
    named.flatMap(({ ids }) => ids),
    objectSize,
  );
  return named
    .filter(({ ids }) => !ids.every((id) => readable.has(id)))
    .map(({ ref }) => ({
      path: ref,
      code: 'not_allowed',
      message: `${ref}: Must be ids of uploaded files of the workspace.`,
    }));
}

/**
 * Needed only for a file that was uploaded directly and not read since, so other submits do not load the S3 client.
 * The second file has its own copies of error classes.
 */
const objectSize: ObjectSize = async (s3Key) => {
  const files = await import('#lib/files/object-size.ts');
  return files.objectSize(s3Key).catch((cause) => {
    throw new Unavailable('The bucket did not answer.', { cause });
  });
};
