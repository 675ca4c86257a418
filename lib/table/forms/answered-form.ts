import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from '../keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import type { MailJob } from './mail-jobs.ts';

/** The response of a mail job with its form and workspace. Each may have been removed since. */
export interface AnsweredFormRecords {
  readonly workspace: Workspace | undefined;
  readonly form: Form | undefined;
  readonly response: FormResponse | undefined;
}

/** Reads a response with its form and workspace, in one round trip. */
export async function readAnsweredForm(
  table: Table,
  { workspaceId, formId, responseId }: Pick<MailJob, 'workspaceId' | 'formId' | 'responseId'>,
): Promise<AnsweredFormRecords> {
  const [workspace, form, response] = await Promise.all([
    table.get(keys.workspace(workspaceId)),
    table.get(keys.record(workspaceId, 'form', formId)),
    table.get(keys.record(workspaceId, 'formResponse', responseId)),
  ]);
  return {
    workspace: recordOf<Workspace>(workspace),
    form: recordOf<Form>(form),
    response: recordOf<FormResponse>(response),
  };
}

const recordOf = <Record>(item: Item | undefined): Record | undefined =>
  item && (JSON.parse(String(item['record'])) as Record);
