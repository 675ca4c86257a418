import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AuditAction, changedPaths } from '#lib/domain/access/audit-event.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { happened } from '#lib/domain/events/workspace-event.ts';
import { type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { started } from '#lib/domain/started.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { rendered } from '#lib/http/respond.ts';
import type { ClaimWithAnswer } from '#lib/idempotency/run-idempotent.ts';
import { kindOf, type ManagedKind, managed } from '#lib/kinds/kinds.ts';
import { readLookups } from '#lib/records/check-record.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { lastSeenCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { Contended } from '#lib/table/errors.ts';
import type { Writes } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { assumeNew, changeSteps, type PreparedChange, readChange } from '#lib/table/writer/apply-change.ts';
import { type AppliedChange, ChangeRefused, type DecidedChange } from '#lib/table/writer/change.ts';
import { type RepeatedWrite, repeatWrite, tryTransaction } from '#lib/table/writer/repeat-write.ts';
import { checkWrite, refuseWithoutParent } from './check-write.ts';
import {
  type EditRules,
  isAddress,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  type RecordWrite,
  rulesOf,
  type WriteAnswer,
} from './managed-record.ts';
import { errorOfRefusal } from './refusals.ts';
import { parentOf, Removal } from './removal.ts';
import { languagesFor, shownRecord } from './shown-record.ts';
import { lookupIn } from './stored-lookup.ts';

/** The id of a new record, from the body or generated. The id of an entry has the id of its database in front. */
export function createdId({ newId }: EditRules, kind: ManagedKind, record: JsonObject = {}, now = new Date()): string {
  const id = textOf(record['id']);
  const modelId = textOf(record['modelId']);
  // An id that no record can have is an issue of the body, and is not looked up.
  const usableId = isRecordId(id)
    ? id
    : (newId?.(now) ?? `${managed(kind).idPrefix}${randomUUID().replaceAll('-', '')}`);
  return managed(kind).idPath ? `${isRecordId(modelId) ? modelId : ''}/${usableId}` : usableId;
}

/**
 * Creates, replaces, changes or removes one record: an edit is an import of one record (lib/spec/additions.md section
 * 2). It starts the reads.
 * @returns carries it out. It throws 400 with all issues, 403, 404, 409 `already_exists` and `in_use`, 412, Unavailable; ConditionFailed of the
 * idempotency write. A refused write changes nothing
 */
export function beginWrite(call: ManageRequest, write: RecordWrite) {
  const { milliseconds } = rulesOf(call, write.kind);
  const table = milliseconds === undefined ? call.table : call.tableFor(milliseconds);
  const request = { ...call, table };
  started(readAhead(request, write));
  return async (claimWithAnswer?: ClaimWithAnswer<WriteAnswer>): Promise<WriteAnswer> =>
    repeatWrite(table, await stepsOf(request, { ...write, claimWithAnswer }));
}

/** Makes the first reads of the steps below at once. They would make some of them one after the other. */
async function readAhead(request: ManageRequest, write: RecordWrite): Promise<void> {
  const { table, principal } = request;
  const { kind, id, verb, newIdAt, body } = write;
  const { storage, context } = rulesOf(request, kind);
  const change = { kind, ...parseRecordAddress(id) };
  if (newIdAt) assumeNew(storage, table, principal, change);
  await Promise.all([
    findWorkspace(table, principal.workspaceId),
    context?.(request, newIdAt ? undefined : id),
    isAddress(write) && readChange(storage, table, principal, change),
    removalOf(principal, write)?.warm(table),
    body && readTargets(request, kind, verb === 'create' ? body : { ...body, ...parseRecordAddress(id) }),
  ]);
}

function removalOf(principal: Principal, { kind, id, verb, newIdAt }: RecordWrite): Removal | undefined {
  const parent = parentOf(kind, id);
  return parent && !newIdAt ? new Removal(principal, parent, verb) : undefined;
}

/** Reads the records that a body refers to, and the owners of its names. */
function readTargets({ table, principal }: ManageRequest, kind: ManagedKind, record: JsonObject): Promise<void> {
  const schema = lastSeenCmsSchema(table, principal);
  const lookup = lookupIn(table, principal, []);
  const model = async (id: string) => {
    // The last seen model tells which records to read, so this read need not end first.
    started(lookup.model(id));
    return schema?.models.get(id);
  };
  return readLookups({ kind, record }, { ...lookup, model });
}

/** With the write that uses up its Idempotency-Key. */
type ClaimedWrite = RecordWrite & { readonly claimWithAnswer: ClaimWithAnswer<WriteAnswer> | undefined };

async function stepsOf(
  request: ManageRequest,
  write: ClaimedWrite,
): Promise<RepeatedWrite<PreparedChange, WriteAnswer>> {
  const { principal, table } = request;
  const rules = rulesOf(request, write.kind);
  let context: KindContext = (await rules.context?.(request, write.newIdAt ? undefined : write.id)) ?? {};
  const address = parseRecordAddress(write.id);
  if (rules.hasParent?.(address, context) === false) return refuseWithoutParent(request, write, rules, context);
  let missing: readonly string[] = [];
  const further = await rules.writeContext?.(request);
  const removal = removalOf(principal, write);
  const answer = (applied: AppliedChange) => answerOf(request, write, rules, context, applied, missing);
  const change: DecidedChange = {
    kind: write.kind,
    ...address,
    decide: async (stored, reads) => {
      context = { ...context, languages: await languagesFor(write.kind, reads, principal) };
      await removal?.look(reads);
      const checked = await checkWrite({ ...request, table: reads }, write, rules, context, stored);
      missing = checked.missing;
      return checked.record;
    },
  };
  const steps = changeSteps(rules.storage, table, principal, change, {
    // The id of an entry contains its creation time.
    now: (write.newIdAt ?? new Date()).toISOString(),
    ...context,
    ...further,
    additionalWrites: (applied) => ({
      idempotency: write.claimWithAnswer?.(answer(applied)),
      ...audited(request, write, applied),
      ...(applied.status === 'removed' && applied.before && rules.removal?.additionalWrites?.(request, applied.before)),
    }),
    preconditions: (applied) => removal?.writes(applied) ?? {},
  });
  const throwRefusal = (error: unknown): never => {
    throw error instanceof ChangeRefused ? errorOfRefusal(error, write.kind) : error;
  };
  return {
    ...steps,
    prepare: (tries) => Promise.resolve(steps.prepare(tries)).catch(throwRefusal),
    write: async (prepared) => {
      const applied = await steps.write(prepared).catch(throwRefusal);
      if (applied === 'changed' || applied instanceof Contended) return applied;
      // A write without changes makes no transaction, but still records its Idempotency-Key.
      const recorded = applied.status === 'unchanged' && write.claimWithAnswer?.(answer(applied));
      return (recorded && (await tryTransaction(table, { idempotency: recorded }))) || answer(applied);
    },
  };
}

function answerOf(
  request: ManageRequest,
  { kind, id }: RecordAddress,
  rules: EditRules,
  context: KindContext,
  { status, after, etag }: AppliedChange,
  missing: readonly string[],
): WriteAnswer {
  if (!after) return { status: 204, headers: {}, json: '' };
  const isNew = status === 'created';
  return {
    status: isNew ? 201 : 200,
    headers: {
      etag: `"${etag}"`,
      ...(isNew && { location: pathOf(kind, id) }),
      ...(missing.length > 0 && { 'x-missing-references': [...new Set(missing)].join(', ') }),
    },
    json: JSON.stringify(
      shownRecord(kind, rules, after as JsonObject, effectivePermissions(request.principal), context),
    ),
  };
}

const pathOf = (kind: ManagedKind, id: string): string =>
  `/api/v1/manage/${managed(kind).path}/${id.split('/').map(encodeURIComponent).join('/')}`;

/** The id in the path of a created record. */
export const idInPath = (location: string): string => location.split('/').slice(5).map(decodeURIComponent).join('/');

/** The answer in the form that a handler returns. */
export const replyOf = ({ status, headers, json }: WriteAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json: rendered(json) };

const actions: Readonly<Record<Exclude<AppliedChange['status'], 'unchanged'>, AuditAction>> = {
  created: 'create',
  replaced: 'update',
  removed: 'delete',
};

/** The audit event of a write, for its transaction (lib/spec/additions.md section 2). */
function audited(request: ManageRequest, write: RecordWrite, applied: AppliedChange): Writes {
  const { principal, requestId } = request;
  const { kind, id, issued } = write;
  const { status, before, after } = applied;
  if (status === 'unchanged') return {};
  const action = issued && before ? 'rotate' : actions[status];
  const changed =
    action === 'update' && before && after
      ? changedIn(kind, documented(kind, before), documented(kind, after))
      : (rulesOf(request, kind).audited?.(request, applied, write) ?? []);
  const event = {
    actor: principal.actor,
    action,
    recordKind: managed(kind).path,
    recordId: id,
    changed,
    requestId,
    happened: happened(managed(kind).path, before, after, changed),
  };
  return auditWrite(principal, event);
}

/** The changed paths. A field of a database is named by its key, so that an event tells which one was shown or hidden. */
function changedIn(kind: RecordAddress['kind'], before: object, after: object): string[] {
  if (kind !== 'cmsModel') return changedPaths(before, after);
  const [former, next] = [before as Model, after as Model];
  const keysOf = ({ fields }: Model) => fields.map(({ key }) => key);
  const common = new Set(keysOf(former)).intersection(new Set(keysOf(next)));
  const orderOf = (model: Model) => keysOf(model).filter((key) => common.has(key));
  const byKey = (model: Model) => ({
    ...model,
    fields: Object.fromEntries(model.fields.map((field) => [field.key, common.has(field.key) ? field : field.key])),
  });
  const isMoved = !isDeepStrictEqual(orderOf(former), orderOf(next));
  return [...(isMoved ? ['fields'] : []), ...changedPaths(byKey(former), byKey(next))];
}

/** The record with only the members of documents. The table stores further members of an entry. */
const documented = (kind: RecordAddress['kind'], record: object): object => {
  const members = new Set(Object.keys(kindOf(kind).schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.has(member)));
};
