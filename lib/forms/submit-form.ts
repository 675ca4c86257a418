import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type Form, recipientsOf } from '#lib/domain/forms/form.ts';
import type { PatternTest } from '#lib/domain/forms/form-answer-bounds.ts';
import { type CheckedAnswers, checkAnswers, type SubmittedAnswers } from '#lib/domain/forms/form-answers.ts';
import type { FormField } from '#lib/domain/forms/form-field.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { objectSizeOnDemand } from '#lib/files/object-size-on-demand.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { asInFlight, requireSameRequest } from '#lib/http/idempotency.ts';
import type { compilePattern, Pattern } from '#lib/patterns/compile.ts';
import { IdempotencyRecord, type RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { type Contended, Unavailable } from '#lib/table/errors.ts';
import { type AcceptedSubmit, FormRemoved, FormResponses } from '#lib/table/forms/form-responses.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { findOpenForm } from './find-form.ts';
import { preferredText } from './preferred-text.ts';

export interface SubmitRequest {
  readonly slug: string;
  readonly body: SubmittedAnswers;
  readonly idempotencyKey: string | undefined;
  /** The `Accept-Language` header, for the form's own messages. */
  readonly acceptLanguage: string | undefined;
}

interface Submit extends Omit<SubmitRequest, 'slug' | 'idempotencyKey'> {
  readonly form: Form;
}

interface Submitted {
  readonly formId: string;
  readonly responseId: string;
}

/**
 * Stores a response to an enabled form, or finds the stored one of its idempotency key.
 * @throws 404, 400 with all issues of the answers; 409, 422 for a used idempotency key
 */
export async function submitForm(table: Table, scope: WorkspaceScope, request: SubmitRequest): Promise<Submitted> {
  try {
    return await repeatWrite(table, {
      prepare: (tries) => prepare(tries === 1 ? table : table.uncached(), scope, request),
      write: (prepared) => tryWrite(table, scope, prepared),
    });
  } catch (error) {
    throw asInFlight(error);
  }
}

/** A checked response, or the stored one of the idempotency key. */
interface Prepared {
  readonly submitted: Submitted;
  /** Undefined if the response is stored already. */
  readonly accepted?: AcceptedSubmit;
  readonly usedKey?: { readonly record: IdempotencyRecord; readonly requestHash: string };
}

/** @throws 404, 400, 422, Unavailable */
async function prepare(
  table: Table,
  scope: WorkspaceScope,
  { slug, idempotencyKey, ...rest }: SubmitRequest,
): Promise<Prepared> {
  const form = await findOpenForm(table, scope, slug);
  const submit = { form, ...rest };
  if (idempotencyKey === undefined) return newSubmit(table, scope, submit);
  // The scope of the key is the form, for every API key.
  const { workspaceId } = scope;
  const record = new IdempotencyRecord(table, { workspaceId }, formOperation(form.id), idempotencyKey);
  const requestHash = jsonHash(rest.body);
  // A used key gets its recorded answer, even if the form has more required fields now.
  const outcome = await record.find();
  if (outcome) return { submitted: { formId: form.id, responseId: responseIdIn(outcome, requestHash) } };
  return newSubmit(table, scope, submit, { record, requestHash });
}

/** @returns the result; a conflict with another transaction; or `changed` if the form was removed */
async function tryWrite(
  table: Table,
  scope: WorkspaceScope,
  { submitted, accepted, usedKey }: Prepared,
): Promise<Submitted | 'changed' | Contended> {
  if (!accepted) return submitted;
  try {
    return (await new FormResponses(table, scope).tryStore(accepted)) ?? submitted;
  } catch (error) {
    if (error instanceof FormRemoved) return 'changed';
    const outcomeOfOther = usedKey?.record.outcomeIn(error);
    if (!usedKey || !outcomeOfOther) throw error;
    return { formId: submitted.formId, responseId: responseIdIn(outcomeOfOther, usedKey.requestHash) };
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

/** Checks the answers. @throws 400 with all issues */
async function newSubmit(
  table: Table,
  scope: WorkspaceScope,
  submit: Submit,
  usedKey?: NonNullable<Prepared['usedKey']>,
): Promise<Prepared> {
  const { form, body } = submit;
  const checked = checkAnswers(form.fields, body, await patternTest(form.fields));
  const issues = [...checked.issues, ...(await missingFiles(table, scope, form.fields, checked.answers))];
  const response = newResponse(form, checked);
  if (issues.length === 0) issues.push(...sizeIssues(response));
  if (issues.length > 0) throw badRequest(withFieldMessages(submit, issues).map(validationFailed));
  const accepted = {
    response,
    notification: notificationOf(response),
    recipients: recipientsOf(form.notifications.emails),
    idempotencyWrite: usedKey?.record.write(usedKey.requestHash, response.id),
  };
  return { submitted: { formId: form.id, responseId: response.id }, accepted, ...(usedKey && { usedKey }) };
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

/** Issues for FILE answers with ids that are not stored in the workspace or not readable yet. */
async function missingFiles(
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

/** Compiled patterns by their source. */
const compiled = containerMemory.view<Pattern>();
/** The program of the largest pattern, with the states that it caches. */
const patternBytes = 100_000;

/** The budget for all patterns of a form, because a submit must be answered within three seconds. */
const microsecondsMax = 2_000_000;

/**
 * Makes the pattern test of one submit. The engine is loaded only if the form has patterns. One pattern is always fast;
 * a hundred of the largest are not.
 * @throws Unavailable, from the test, when the form's patterns exceed their time budget
 */
async function patternTest(fields: readonly FormField[]): Promise<PatternTest> {
  if (!fields.some(({ validations }) => validations.pattern !== undefined)) return () => false;
  const engine = await import('#lib/patterns/compile.ts');
  const startedAt = process.threadCpuUsage();
  return (source, text) => {
    if (process.threadCpuUsage(startedAt).user > microsecondsMax) throw new Unavailable('The patterns take too long.');
    return (compiled.get(source) ?? keep(source, engine.compilePattern(source))).matches(text);
  };
}

function keep(source: string, result: ReturnType<typeof compilePattern>): Pattern {
  if ('refusal' in result) throw new Error(`A stored pattern cannot be compiled. ${result.refusal}`);
  compiled.set(source, result.pattern, patternBytes);
  return result.pattern;
}
