import type { Form } from '#lib/domain/forms/form.ts';
import type { AnsweredFile, FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { assetUrl } from '#lib/domain/messaging/attachment-key.ts';
import { findRecord, type Table, type WorkspaceScope } from '#lib/table/table.ts';

export interface ResponseWithFiles extends FormResponse {
  readonly files: Readonly<Record<string, readonly AnsweredFile[]>>;
}

/**
 * Adds the files of answers to FILE fields, by ref (lib/spec/additions.md section 2). A file has its name, type and
 * URL. A deleted file has its id and nulls. The current form decides which fields are FILE fields.
 * @param baseUrl of the addresses, without a slash at its end
 */
export async function filesOfAnswers(
  table: Table,
  scope: WorkspaceScope,
  responses: readonly FormResponse[],
  baseUrl: string,
): Promise<ResponseWithFiles[]> {
  return Promise.all(
    responses.map(async (response) => {
      const form = await findRecord<Form>(table, scope, 'form', response.formId);
      const refs = (form?.fields ?? []).filter(({ type }) => type === 'FILE').map(({ ref }) => ref);
      const answered = refs.filter((ref) => Object.hasOwn(response.answers, ref));
      const files = await Promise.all(
        answered.map(async (ref) => {
          const ids = [response.answers[ref] ?? []].flat().map(String);
          return [ref, await Promise.all(ids.map((id) => answeredFile(table, scope, id, baseUrl)))] as const;
        }),
      );
      return { ...response, files: Object.fromEntries(files) };
    }),
  );
}

async function answeredFile(table: Table, scope: WorkspaceScope, id: string, baseUrl: string): Promise<AnsweredFile> {
  const found = await findRecord<Attachment>(table, scope, 'attachment', id);
  if (!found) return { id, name: null, type: null, url: null };
  return { id, name: found.name, type: found.type, url: assetUrl(baseUrl, found.s3Key) };
}
