import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { type JsonObject, textOf } from '#lib/domain/input.ts';
import { started } from '#lib/domain/started.ts';
import { rendered } from '#lib/http/answer.ts';
import { notFound } from '#lib/http/errors.ts';
import { type ClaimWithAnswer, type KeyScope, readKeyAhead, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { readLookups } from '#lib/records/check-record.ts';
import { noteOfAnswer } from '#lib/table/access/idempotency-records.ts';
import { lastSeenCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import type { Writes } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange, DecidedChange } from '#lib/table/writer/change.ts';
import { assumeNew, readChange } from '#lib/table/writer/first-reads.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { auditedWrite } from './audited-write.ts';
import { checkWrite } from './check-write.ts';
import {
  createdId,
  isAddress,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  type RecordWrite,
  servedAt,
  type WriteAnswer,
  type WriteCall,
} from './managed-record.ts';
import { databaseNotFound, errorOfRefusal, recordNotFound } from './refusals.ts';
import { findRecord, shownRecord } from './shown-record.ts';
import { lookupIn } from './stored-lookup.ts';

/**
 * Answers POST, PUT, PATCH or DELETE of one record, once for each Idempotency-Key (lib/spec/additions.md section 2).
 * @throws 400, 403, 404, 409, 412, 422, Unavailable; then nothing is stored
 */
export async function answerWrite(call: WriteCall, verb: RecordWrite['verb']) {
  const { answer } = await writeOnce(call, { verb, body: call.body as JsonObject | undefined });
  return replyOf(answer);
}

/** What a call writes, and the scope of its Idempotency-Key if that is not `verb` and the path. */
interface Written extends Pick<RecordWrite, 'verb' | 'issued'> {
  readonly body?: JsonObject | undefined;
  /** In place of a body. It is read beside the record of the Idempotency-Key, which comes first. */
  readonly restored?: Promise<Pick<RecordWrite, 'body' | 'restores'>>;
  readonly operation?: string;
}

/** @returns the answer, and whether this call made the change; a retry did not */
export async function writeOnce(
  call: WriteCall,
  { operation, body, restored, ...written }: Written,
): Promise<{ readonly answer: WriteAnswer; readonly isFirst: boolean }> {
  const { params, headers, logDetails } = call;
  const now = new Date();
  const address = addressOf(call, body, now);
  Object.assign(logDetails, { recordKind: params.kind, recordId: address.id });
  // The scope of an Idempotency-Key is a method and a path.
  const path = `${params.kind}/${params.id ?? ''}`;
  const scope: KeyScope = { sharedBy: 'workspace', operation: `manage ${operation ?? written.verb} ${path}` };
  started(readKeyAhead(call, scope));
  const write = {
    ...address,
    ...written,
    newIdAt: params.id === undefined && textOf(body?.['id']) === '' ? now : undefined,
    ...(body && { body }),
    ifMatch: headers['If-Match'],
    ifNoneMatch: headers['If-None-Match'],
  };
  const carryOut = restored
    ? started(restored.then((version) => beginWrite(call, { ...write, ...version })))
    : beginWrite(call, write);
  let isFirst = false;
  const answer = await runIdempotent<WriteAnswer>(call, scope, {
    request: () => call.body ?? null,
    execute: async ({ claimWithAnswer }) => {
      const first = await (await carryOut)(claimWithAnswer);
      isFirst = true;
      return first;
    },
    replay: (first) => (first?.status === 204 ? first : showCurrent(call, address, first)),
  });
  return { answer, isFirst };
}

/** @throws 404 for an id that no record can have */
function addressOf(call: WriteCall, body: JsonObject | undefined, now: Date): RecordAddress {
  const { kind: path, id } = call.params;
  const served = servedAt(call, path);
  if (!served) throw notFound('Address');
  const { rules } = served;
  const address = { ...served, id: id ?? createdId(rules, body, now) };
  if (id !== undefined && !isAddress(address)) throw recordNotFound(rules.managed.noun);
  return address;
}

/** Reads the current record, for a retry whose caller may not see the first answer. */
async function showCurrent(
  call: ManageRequest,
  address: RecordAddress,
  first: WriteAnswer | undefined,
): Promise<WriteAnswer> {
  call.table.clearCache();
  const location = first?.headers['location'];
  const idInPath = location?.split('/').slice(5).map(decodeURIComponent).join('/');
  const found = await findRecord(call, { ...address, id: idInPath ?? address.id });
  if (!found) throw recordNotFound(address.rules.managed.noun);
  const headers = { ...(location !== undefined && { location }), etag: `"${found.etag}"` };
  return { status: first?.status ?? 200, headers, json: JSON.stringify(found.record) };
}

/**
 * Creates, replaces, changes or removes one record: an edit is an import of one record. It starts the reads.
 * @returns carries it out. It throws 400 with all issues, 403, 404, 409 `already_exists` and `in_use`, 412, Unavailable;
 * ConditionFailed of the idempotency write. A refused write changes nothing
 */
export function beginWrite(call: ManageRequest, write: RecordWrite) {
  const { milliseconds } = write.rules;
  const request = milliseconds === undefined ? call : { ...call, table: call.tableFor(milliseconds) };
  started(readAhead(request, write));
  return (claimWithAnswer?: ClaimWithAnswer<WriteAnswer>) => carryOut(request, write, claimWithAnswer);
}

/** Makes the reads of `carryOut` at once. It would make some of them one after the other. */
async function readAhead(request: ManageRequest, write: RecordWrite): Promise<void> {
  const { table, principal } = request;
  const { kind, rules, id, verb, newIdAt, body } = write;
  const { storage } = rules;
  const address = parseRecordAddress(id);
  if (newIdAt) assumeNew(storage, table, principal, { kind, ...address });
  await Promise.all([
    contextOf(request, write),
    isAddress(write) && readChange(storage, table, principal, { kind, ...address, verb: guardedVerb(write) }),
    body && readTargets(request, write, verb === 'create' ? body : { ...body, ...address }),
  ]);
}

/** Nothing refers to a record with a new id. */
const guardedVerb = ({ newIdAt, verb }: RecordWrite) => (newIdAt ? undefined : verb);

/** The stored data that a record is checked and shown with. */
async function contextOf(request: ManageRequest, { rules, id, newIdAt }: RecordWrite): Promise<KindContext> {
  const [own, workspace] = await Promise.all([
    rules.context?.(request, newIdAt ? undefined : id),
    findWorkspace(request.table, request.principal.workspaceId),
  ]);
  return { ...own, languages: workspace?.languages ?? [] };
}

/** Reads the records that a body refers to, and the owners of its names. */
function readTargets(
  { table, principal }: ManageRequest,
  { kind, rules }: RecordWrite,
  record: JsonObject,
): Promise<void> {
  const schema = lastSeenCmsSchema(table, principal);
  const lookup = lookupIn(table, principal, []);
  const model = async (id: string) => {
    // The last seen model tells which records to read, so this read need not end first.
    started(lookup.model(id));
    return schema?.models.get(id);
  };
  return readLookups({ kind, rules, record }, { ...lookup, model });
}

/** Checks the write against the stored record, stores it in one transaction, and makes its answer. */
async function carryOut(
  request: ManageRequest,
  write: RecordWrite,
  claimWithAnswer: ClaimWithAnswer<WriteAnswer> | undefined,
): Promise<WriteAnswer> {
  const { principal, table } = request;
  const { kind, rules, id, verb, newIdAt } = write;
  const context = await contextOf(request, write);
  const address = parseRecordAddress(id);
  if (rules.hasParent?.(address, context) === false) {
    // A new record is checked nevertheless, so that the answer lists all its issues.
    if (verb === 'create') await checkWrite(request, write, context, { record: undefined, etag: undefined });
    throw databaseNotFound();
  }
  let missing: readonly string[] = [];
  const answerTo = (applied: AppliedChange) => answerOf(request, write, context, applied, missing);
  const claimFor = (answer: WriteAnswer): Writes => {
    const idempotency = claimWithAnswer?.(answer);
    const keyOf = (hash: string) => messagingKeys.answerAbout(principal.workspaceId, id, hash);
    return { idempotency, ...(kind === 'customer' && { note: noteOfAnswer(idempotency, keyOf) }) };
  };
  const change = {
    kind,
    ...address,
    verb: guardedVerb(write),
    decide: async (stored, reads) => {
      const checked = await checkWrite({ ...request, table: reads }, write, context, stored);
      missing = checked.missing;
      return checked.record;
    },
  } satisfies DecidedChange;
  const applied = await applyChange(rules.storage, table, principal, change, {
    // The id of an entry contains its creation time.
    now: (newIdAt ?? new Date()).toISOString(),
    ...context,
    ...(await rules.writeContext?.(request)),
    additionalWrites: async (applied, revisions) => ({
      ...claimFor(answerTo(applied)),
      ...(await auditedWrite(table, request, write, context, applied, revisions)),
    }),
  }).catch((error: unknown) => {
    throw errorOfRefusal(error, rules);
  });
  const answer = answerTo(applied);
  // A write without changes makes no transaction, but still records its Idempotency-Key.
  const claim = applied.status === 'unchanged' ? claimFor(answer) : {};
  if (claim['idempotency']) await repeatTransaction(table, claim);
  return answer;
}

function answerOf(
  { principal }: ManageRequest,
  { rules, id }: RecordAddress,
  context: KindContext,
  { status, after, etag }: AppliedChange,
  missing: readonly string[],
): WriteAnswer {
  if (!after) return { status: 204, headers: {}, json: '' };
  const isNew = status === 'created';
  const path = `/api/v1/manage/${rules.managed.path}/${id.split('/').map(encodeURIComponent).join('/')}`;
  return {
    status: isNew ? 201 : 200,
    headers: {
      etag: `"${etag}"`,
      ...(isNew && { location: path }),
      ...(missing.length > 0 && { 'x-missing-references': missing.join(', ') }),
    },
    json: JSON.stringify(shownRecord(rules, after as JsonObject, effectivePermissions(principal), context)),
  };
}

/** The answer in the form that a handler returns. */
export const replyOf = ({ status, headers, json }: WriteAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json: rendered(json) };
