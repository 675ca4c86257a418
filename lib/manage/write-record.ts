import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AuditAction, changedPaths } from '#lib/domain/access/audit-event.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { withPath } from '#lib/domain/issue.ts';
import { type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { started } from '#lib/domain/started.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { badRequest, HttpError, validationFailed } from '#lib/http/errors.ts';
import { preconditionFailed } from '#lib/http/preconditions.ts';
import { rendered } from '#lib/http/respond.ts';
import { kindOf, type ManagedKind, managed } from '#lib/kinds/kinds.ts';
import { memberKeysMax } from '#lib/table/access/api-key-records.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { Contended } from '#lib/table/errors.ts';
import type { Writes } from '#lib/table/table.ts';
import { assumeNew, changeSteps } from '#lib/table/writer/apply-change.ts';
import { type AppliedChange, ChangeRefused, type DecidedChange } from '#lib/table/writer/change.ts';
import type { PreparedChange } from '#lib/table/writer/change-steps.ts';
import { type RepeatedWrite, repeatWrite, tryTransaction } from '#lib/table/writer/repeat-write.ts';
import { checkWrite, refuseWithoutParent } from './check-write.ts';
import { rulesOf } from './kind-rules.ts';
import {
  type EditRules,
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  type RecordWrite,
  type WriteAnswer,
} from './managed-record.ts';
import { alreadyExists, inUse, recordNotFound, useImport } from './refusals.ts';
import { parentOf, Removal } from './removal.ts';
import { languagesFor, shownRecord } from './shown-record.ts';

/** The id of a new record, from the body or generated. The id of an entry has the id of its database in front. */
export function createdId(kind: ManagedKind, record: JsonObject = {}, now = new Date()): string {
  const id = textOf(record['id']);
  const modelId = textOf(record['modelId']);
  // An id that no record can have is an issue of the body, and is not looked up.
  const usableId = isRecordId(id) ? id : newId(kind, now);
  return managed(kind).idPath ? `${isRecordId(modelId) ? modelId : ''}/${usableId}` : usableId;
}

const newId = (kind: ManagedKind, now: Date): string =>
  rulesOf(kind).newId?.(now) ?? `${managed(kind).idPrefix}${randomUUID().replaceAll('-', '')}`;

/**
 * Creates, replaces, changes or removes one record: an edit is an import of one record (lib/spec/additions.md section
 * 2).
 * @throws 400 with all issues, 403, 404, 409 `already_exists` and `in_use`, 412, Unavailable; ConditionFailed of the
 * idempotency write. A refused write changes nothing
 */
export async function writeRecord(request: ManageRequest, write: RecordWrite): Promise<WriteAnswer> {
  const { milliseconds } = rulesOf(write.kind);
  const table = milliseconds === undefined ? request.table : request.tableFor(milliseconds);
  return repeatWrite(table, await stepsOf({ ...request, table }, write));
}

async function stepsOf(
  request: ManageRequest,
  write: RecordWrite,
): Promise<RepeatedWrite<PreparedChange, WriteAnswer>> {
  const { principal, table } = request;
  const rules = rulesOf(write.kind);
  let context: KindContext = (await rules.context?.(request, write.newIdAt ? undefined : write.id)) ?? {};
  const address = parseRecordAddress(write.id);
  if (rules.hasParent?.(address, context) === false) return refuseWithoutParent(request, write, rules, context);
  let missing: readonly string[] = [];
  if (write.newIdAt) assumeNew(table, principal, { kind: write.kind, ...address });
  // It is read in one batch with the first reads of the change.
  started(languagesFor(write.kind, table, principal));
  const further = await rules.writeContext?.(request);
  const parent = parentOf(write.kind, address.id);
  const removal = parent && !write.newIdAt ? new Removal(principal, parent, write.verb) : undefined;
  if (removal) started(removal.warm(table));
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
  const steps = changeSteps(table, principal, change, {
    // The id of an entry contains its creation time.
    now: (write.newIdAt ?? new Date()).toISOString(),
    ...context,
    ...further,
    additionalWrites: (applied) => ({
      idempotency: write.claimWithAnswer?.(answer(applied)),
      ...audited(request, write, applied),
      ...rules.additionalWrites?.(request, applied),
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

/** Another write was stored between the check and the transaction. */
function errorOfRefusal({ reason }: ChangeRefused, kind: ManagedKind): Error {
  if (reason === 'exists') return alreadyExists(kind);
  if (reason === 'missing') return recordNotFound(kind);
  if (reason === 'changed') return preconditionFailed(managed(kind).noun);
  if (reason === 'in_use') return inUse(managed(kind).noun, [], new Set());
  if (reason === 'use_import') return useImport();
  if (reason === 'last_manager') return lastManager();
  if (reason === 'no_member' || reason === 'too_many_keys') return badRequest([validationFailed(memberIssue(reason))]);
  const path = kindOf(kind).unique ?? 'id';
  const message = `Must be unique: a stored record has the same ${path}.`;
  return badRequest([validationFailed(withPath({ path, code: 'duplicate' as const, message }))]);
}

const lastManager = (): HttpError =>
  new HttpError(
    409,
    'last_manager',
    'This is the last active member with access:member:manage. Give another member this permission first.',
  );

const memberIssue = (reason: 'no_member' | 'too_many_keys') =>
  withPath(
    reason === 'no_member'
      ? { path: 'memberId', code: 'not_found' as const, message: 'Must be the id of a member of the workspace.' }
      : {
          path: 'memberId',
          code: 'max_items' as const,
          message: `Must be a member with fewer than ${memberKeysMax} keys.`,
        },
  );

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
      : (rulesOf(kind).audited?.(request, applied, write) ?? []);
  const event = {
    actor: principal.actor,
    action,
    recordKind: managed(kind).path,
    recordId: id,
    changed,
    requestId,
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
