import { authorOf } from '#lib/domain/events/workspace-event.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import type { PatternTest } from '#lib/domain/forms/form-answer-bounds.ts';
import { type CheckedAnswers, checkAnswers } from '#lib/domain/forms/form-answers.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import { recipientsOf } from '#lib/domain/forms/recipients.ts';
import type { Issue } from '#lib/domain/input.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { started } from '#lib/domain/started.ts';
import { recordBytesMax } from '#lib/domain/stored-size.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { objectSizeOnDemand } from '#lib/files/object-size-on-demand.ts';
import { findForm, formNotFound } from '#lib/forms/find-form.ts';
import { preferredText } from '#lib/forms/preferred-text.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import type { RequestOf } from '#lib/http/pipeline.ts';
import {
  asRecorded,
  type ClaimWithAnswer,
  type KeyScope,
  readKeyAhead,
  runIdempotent,
} from '#lib/idempotency/run-idempotent.ts';
import type { compilePattern, Pattern } from '#lib/patterns/compile.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import { type AcceptedSubmit, FormResponses } from '#lib/table/forms/form-responses.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { endpoint, successMessage } from './endpoint.ts';

/** Stores a response to an enabled form, or finds the stored one of its Idempotency-Key. */
export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, body, logDetails } = request;
    const cachedId = new Forms(table, principal).cachedId(slugOf(request));
    // It shares a round trip with the form.
    if (cachedId !== undefined) started(readKeyAhead(request, keyScopeOf(cachedId)));
    const form = await findOpenForm(table, principal, slugOf(request));
    // A used key gets its recorded answer, even if the form has more required fields now.
    const responseId = await runIdempotent<string>(request, keyScopeOf(form.id), {
      request: () => body,
      execute: ({ claimWithAnswer }) => storeResponse(request, form, claimWithAnswer),
      replay: asRecorded,
    });
    Object.assign(logDetails, { formId: form.id, responseId });
    return { body: { message: successMessage }, headers: { 'x-form-response-id': responseId } };
  },
  // The one endpoint whose 404 comes before the checks of the body (lib/spec/decisions.md section 1).
  precheck: async ({ principal, table, params }) => {
    await findOpenForm(table, principal, params.slug);
  },
  beginsEarly: true,
});

type Request = RequestOf<typeof endpoint>;

const slugOf = ({ params }: Pick<Request, 'params'>): string => normalized(params.slug);

/** Finds an enabled form (lib/spec/interface.md section 4.9). @throws 404 with the frozen body */
async function findOpenForm(table: Table, scope: WorkspaceScope, slug: string): Promise<Form> {
  const form = await findForm(table, scope, slug);
  if (!form.enabled) throw formNotFound();
  return form;
}

/** The scope of an Idempotency-Key is the form. */
const keyScopeOf = (formId: string): KeyScope => ({ sharedBy: 'workspace', operation: `form#${formId}` });

/** @returns the id of the response @throws 404, 400, ConditionFailed if the Idempotency-Key is used, Unavailable */
async function storeResponse(request: Request, form: Form, claimWithAnswer: ClaimWithAnswer<string>): Promise<string> {
  const { principal, table } = request;
  const responses = new FormResponses(table, principal);
  return repeatWrite<AcceptedSubmit, string>(table, {
    prepare: async (tries) => {
      if (tries === 1) return accept(request, form, claimWithAnswer);
      const current = { ...request, table: table.uncached() };
      const found = await findOpenForm(current.table, principal, slugOf(request));
      // Another form has the slug now, and its Idempotency-Keys are its own.
      if (found.id !== form.id) throw formNotFound();
      return accept(current, found, claimWithAnswer);
    },
    write: async (accepted) => (await responses.tryStore(accepted)) ?? accepted.response.id,
  });
}

/** Checks the answers. @throws 400 with all issues */
async function accept(
  { principal, table, body, headers, requestId }: Request,
  form: Form,
  claimWithAnswer: ClaimWithAnswer<string>,
): Promise<AcceptedSubmit> {
  const checked = checkAnswers(form.fields, body, await patternTest(form.fields));
  const issues = [...checked.issues, ...(await missingFiles(table, principal, form.fields, checked.answers))];
  const response = newResponse(form, checked);
  if (issues.length === 0) issues.push(...sizeIssues(response));
  const shown = withFieldMessages(form, headers['Accept-Language'], issues);
  if (shown.length > 0) throw badRequest(shown.map(validationFailed));
  return {
    response,
    notification: notificationOf(response),
    recipients: recipientsOf(form.notifications.emails),
    event: eventWrite(principal, {
      kind: 'form-responses',
      recordId: response.id,
      action: 'created',
      ...authorOf(principal, requestId),
    }),
    idempotencyWrite: claimWithAnswer(response.id),
  };
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
function withFieldMessages({ fields }: Form, acceptLanguage: string | undefined, issues: readonly Issue[]): Issue[] {
  const words = new Map(fields.map(({ ref, validations }) => [ref, validations.message]));
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
