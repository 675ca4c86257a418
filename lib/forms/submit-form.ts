import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type Form, recipientsOf } from '#lib/domain/forms/form.ts';
import { type CheckedAnswers, checkAnswers, type SubmittedAnswers } from '#lib/domain/forms/form-answers.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { asInFlight, requireSameRequest } from '#lib/http/idempotency.ts';
import { IdempotencyRecord, type RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { FormRemoved, FormResponses } from '#lib/table/forms/form-responses.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import type { Table, TransactItem } from '#lib/table/table.ts';
import { repeatWork } from '#lib/table/writer/repeat-write.ts';
import { missingFiles } from './answer-files.ts';
import { findOpenForm } from './find-form.ts';
import { patternTest } from './patterns.ts';
import { preferredText } from './preferred-text.ts';

export interface SubmitRequest {
  readonly slug: string;
  readonly body: SubmittedAnswers;
  readonly idempotencyKey: string | undefined;
  /** The `Accept-Language` header, for the form's own messages. */
  readonly acceptLanguage: string | undefined;
}

interface Submit extends Omit<SubmitRequest, 'slug'> {
  readonly form: Form;
}

/**
 * Stores a response to an enabled form, or finds the stored one of its idempotency key.
 * @throws 404, 400 with all issues of the answers; 409, 422 for a used idempotency key
 */
export async function submitForm(
  table: Table,
  scope: WorkspaceScope,
  { slug, ...rest }: SubmitRequest,
): Promise<{ readonly formId: string; readonly responseId: string }> {
  const submit = async (reads: Table) => {
    const form = await findOpenForm(reads, scope, slug);
    return { formId: form.id, responseId: await submitTo(reads, scope, { form, ...rest }) };
  };
  return repeatWork(table, submit, (error) => error instanceof FormRemoved);
}

/** @returns the id of the response */
async function submitTo(table: Table, scope: WorkspaceScope, submit: Submit): Promise<string> {
  const { form, body, idempotencyKey } = submit;
  if (idempotencyKey === undefined) return storeResponse(table, scope, submit, undefined);
  // The scope of the key is the form, for every API key.
  const { workspaceId } = scope;
  const record = new IdempotencyRecord(table, { workspaceId }, formOperation(form.id), idempotencyKey);
  const requestHash = jsonHash(body);
  // A used key gets its recorded answer, even if the form has more required fields now.
  const outcome = await record.find();
  if (outcome) return responseIdIn(outcome, requestHash);
  try {
    return await storeResponse(table, scope, submit, (responseId) => record.write(requestHash, responseId));
  } catch (error) {
    const outcomeOfOther = record.outcomeIn(error);
    if (outcomeOfOther) return responseIdIn(outcomeOfOther, requestHash);
    throw asInFlight(error);
  }
}

/** Reads the record of an Idempotency-Key, if the form of the request is in the cache. */
export async function warmOutcome(
  table: Table,
  { workspaceId }: WorkspaceScope,
  slug: string,
  idempotencyKey: string | undefined,
): Promise<void> {
  const formId = new Forms(table, { workspaceId }).cachedId(slug);
  if (formId === undefined || idempotencyKey === undefined) return;
  await new IdempotencyRecord(table, { workspaceId }, formOperation(formId), idempotencyKey).find();
}

/** The operation of a submit's Idempotency-Key. */
export const formOperation = (formId: string): string => `form#${formId}`;

async function storeResponse(
  table: Table,
  scope: WorkspaceScope,
  submit: Submit,
  idempotencyWrite: ((responseId: string) => TransactItem) | undefined,
): Promise<string> {
  const { form, body } = submit;
  const checked = checkAnswers(form.fields, body, await patternTest(form.fields));
  const issues = [...checked.issues, ...(await missingFiles(table, scope, form.fields, checked.answers))];
  const response = newResponse(form, checked);
  if (issues.length === 0) issues.push(...sizeIssues(response));
  if (issues.length > 0) throw badRequest(withFieldMessages(submit, issues).map(validationFailed));
  await new FormResponses(table, scope).store({
    response,
    notification: notificationOf(response),
    recipients: recipientsOf(form.notifications.emails),
    idempotencyWrite: idempotencyWrite?.(response.id),
  });
  return response.id;
}

function responseIdIn(outcome: RecordedOutcome, requestHash: string): string {
  requireSameRequest(outcome, requestHash);
  return outcome.answer ?? '';
}

function newResponse({ id: formId }: Form, { answers, meta }: CheckedAnswers): FormResponse {
  const now = new Date();
  return { id: newDatedId('res_', now), formId, answers, meta, createdAt: now.toISOString() };
}

const notificationOf = ({ id, formId, createdAt }: FormResponse): Notification => ({
  id: id.replace('res_', 'not_'),
  type: 'form_response',
  formId,
  formResponseId: id,
  readAt: null,
  createdAt,
});

function sizeIssues(response: FormResponse): Issue[] {
  const bytes = Buffer.byteLength(JSON.stringify(response));
  if (bytes <= recordBytesMax) return [];
  return [{ path: '', code: 'too_large', message: 'The response would take more than 350 KB to store.' }];
}

/** Replaces messages by a field's own message, if it has one. */
function withFieldMessages({ form, acceptLanguage }: Submit, issues: readonly Issue[]): Issue[] {
  const words = new Map(form.fields.map(({ ref, validations }) => [ref, validations.message]));
  return issues.map((issue) => {
    const message = preferredText(words.get(issue.path) ?? {}, acceptLanguage);
    return message === undefined ? issue : { ...issue, message };
  });
}
