import { randomUUID } from 'node:crypto';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { managedKind } from '#lib/domain/manage/managed-kinds.ts';
import { mergePatch } from '#lib/domain/text/merge-patch.ts';
import { ifMatchHolds, namesTag } from '#lib/http/conditional.ts';
import { badRequest, preconditionFailed, validationFailed } from '#lib/http/errors.ts';
import { checkRecord } from '#lib/records/check-record.ts';
import { kindRow } from '#lib/records/document-kinds.ts';
import { type JsonObject, textOf } from '#lib/records/json-object.ts';
import type { TransactItem } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import { type AppliedChange, ChangeRefused, type StoredRecord, type WrittenRecord } from '#lib/table/writer/change.ts';
import { audited } from './audited.ts';
import { recordSchemaOf } from './kinds.ts';
import {
  type KindContext,
  type ManageRequest,
  placeOf,
  type RecordAddress,
  type WritableKind,
} from './managed-record.ts';
import { alreadyExists, hasValues, inUse, isStored, recordNotFound, useImport } from './refusals.ts';
import { openLookup } from './stored-lookup.ts';
import { writableKinds } from './writable-kinds.ts';

/** A write of one record, as a request or a part of one asks for it. */
export interface RecordWrite extends RecordAddress {
  readonly verb: 'create' | 'replace' | 'update' | 'delete';
  /** The record or the merge patch; none to delete. */
  readonly body?: JsonObject;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The write that records the answer under an Idempotency-Key. */
  readonly idempotency?: ((answer: WriteAnswer) => TransactItem) | undefined;
}

/** What is answered to a write; of a deletion nothing but the status. */
export interface WriteAnswer {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}

/** What a write does, when it is judged. */
interface Judged {
  readonly record: WrittenRecord | null;
  /** The paths of what the record names and the workspace does not have. */
  readonly missing: readonly string[];
}

export const rulesOf = (name: ManagedKindName): WritableKind => {
  const rules = writableKinds[name];
  if (!rules) throw new Error(`Nothing says how ${name} are written.`);
  return rules;
};

/** The id of a record that is to be created: its own or a new one, below its database where it has one. */
export function createdId(name: ManagedKindName, record: JsonObject = {}): string {
  const own = textOf(record['id']) || newId(name);
  return managedKind(name).idPath ? `${textOf(record['modelId'])}/${own}` : own;
}

/** A new id of a kind. */
const newId = (name: ManagedKindName): string => `${rulesOf(name).idPrefix}${randomUUID().replaceAll('-', '')}`;

/**
 * Creates, replaces, changes or removes one record: an edit is an import of one record (lib/spec/additions.md section 2).
 * @throws 400 with all faults, 403, 404, 409 `already_exists` and `in_use`, 412, Unavailable; ConditionFailed of the
 * idempotency write. A refused write changes nothing
 */
export async function writeRecord(request: ManageRequest, write: RecordWrite): Promise<WriteAnswer> {
  const { principal } = request;
  const rules = rulesOf(write.name);
  const table = rules.milliseconds === undefined ? request.table : request.tableFor(rules.milliseconds);
  const context = (await rules.context?.(request)) ?? {};
  if (rules.hasPlace?.(placeOf(write.id), context) === false) return refuseWithoutPlace(request, write, rules, context);
  let missing: readonly string[] = [];
  const answer = (applied: AppliedChange) => answerOf(request, write, rules, context, applied, missing);
  const applied = await applyChange(
    table,
    principal,
    {
      kind: rules.kind,
      ...placeOf(write.id),
      decide: async (stored, reads) => {
        const judged = await judge({ ...request, table: reads }, write, rules, context, stored);
        missing = judged.missing;
        return judged.record;
      },
    },
    {
      now: new Date().toISOString(),
      ...context,
      extra: (change) => ({
        idempotency: write.idempotency?.(answer(change)),
        ...audited(request, write, change),
        ...rules.extra?.(request, change),
      }),
    },
  ).catch((error: unknown) => {
    throw error instanceof ChangeRefused ? asRefusal(error, write.name, rules) : error;
  });
  // A write that changes nothing is no transaction, but its key is used all the same.
  if (applied.status === 'unchanged' && write.idempotency) {
    await table.transact({ idempotency: write.idempotency(answer(applied)) });
  }
  return answer(applied);
}

/** @throws HttpError */
async function judge(
  request: ManageRequest,
  write: RecordWrite,
  rules: WritableKind,
  context: KindContext,
  { record, etag }: Pick<StoredRecord, 'record' | 'etag'>,
): Promise<Judged> {
  const { verb, name } = write;
  const granted = effectivePermissions(request.principal);
  const stored = record as JsonObject | undefined;
  const isPart = verb === 'update' || verb === 'delete';
  const exists = stored !== undefined && (rules.exists?.(stored, granted) ?? true);
  // Its id is taken all the same: nothing can be put in its place.
  const isHidden = stored !== undefined && !exists;
  if (isPart && !exists) throw recordNotFound(name);
  if (isPart) requireConditions(write, etag);
  if (verb === 'delete') {
    const referrers = (await rules.referrers?.(request, write.id)) ?? [];
    if (referrers.length > 0) throw inUse(name, referrers);
    return { record: null, missing: [] };
  }
  const before = stored && (rules.view?.(stored, granted, context) ?? stored);
  const judged = await judgeRecord(request, write, rules, before);
  if (isHidden || (verb === 'create' && before)) throw alreadyExists(name, verb);
  if (!isPart) requireConditions(write, etag);
  rules.authorize?.(granted, before, judged.record);
  const holders = before && (await rules.holders?.(request, before, judged.record));
  if (holders && holders.length > 0) throw hasValues(holders);
  const complete = rules.complete?.(judged.record, stored, granted, context) ?? judged.record;
  return { record: complete as unknown as WrittenRecord, missing: judged.missing };
}

/** What a new record belongs to is missing: it is judged all the same, so that all its faults are answered at once. */
async function refuseWithoutPlace(
  request: ManageRequest,
  write: RecordWrite,
  rules: WritableKind,
  context: KindContext,
): Promise<never> {
  if (write.verb === 'create') await judge(request, write, rules, context, { record: undefined, etag: undefined });
  throw recordNotFound(write.name);
}

/** The record as an import would write it. @throws 400 */
async function judgeRecord(
  { table, principal }: ManageRequest,
  { name, id, verb, body = {} }: RecordWrite,
  { kind, prepare = (record) => record, lookup: lookedUp = (lookup) => lookup }: WritableKind,
  before: JsonObject | undefined,
): Promise<{ readonly record: JsonObject; readonly missing: readonly string[] }> {
  const isPatch = verb === 'update';
  const merged = isPatch ? (mergePatch(withoutStamps(before), body, recordSchemaOf(name)) as JsonObject) : body;
  const place = placeOf(id);
  const given = prepare({ ...place, ...merged }, { isPatch, patch: body });
  const lookup = lookedUp(await openLookup(table, principal, { kind, ...place }), effectivePermissions(principal));
  // Of another address, its names would be those of another record.
  const { record, failures, warnings } = await checkRecord({ kind, record: atPlace(given, place) }, lookup);
  const moved = Object.entries(place)
    .filter(([member, value]) => given[member] !== value && typeof given[member] === 'string')
    .map(([path]) => ({ path, code: 'not_allowed' as const, message: 'Must be the one in the address.' }));
  const faults = [...moved, ...failures];
  if (faults.length > 0) throw badRequest(faults.map(placed).map(validationFailed));
  if (!record) throw new Error('A record without faults is one.');
  return { record: record as unknown as JsonObject, missing: warnings.map(({ path }) => path) };
}

/** A record whose id is a text gets that of the address; anything else is a fault of its own. */
const atPlace = (record: JsonObject, place: JsonObject): JsonObject => ({
  ...record,
  ...Object.fromEntries(Object.entries(place).filter(([member]) => typeof record[member] === 'string')),
});

/** Stamps stay or move as if they had not been sent (lib/spec/additions.md section 2, time stamps). */
function withoutStamps(record: JsonObject = {}): JsonObject {
  const { createdAt, updatedAt, ...rest } = record;
  return rest;
}

const placed = <I extends { readonly path: string; readonly message: string }>(issue: I): I => ({
  ...issue,
  message: issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`,
});

/** @throws 412 */
function requireConditions({ ifMatch, ifNoneMatch, name }: RecordWrite, etag: string | undefined): void {
  const tag = etag === undefined ? undefined : `"${etag}"`;
  if (ifMatch !== undefined && (tag === undefined || !ifMatchHolds(ifMatch, tag))) {
    throw preconditionFailed(managedKind(name).noun);
  }
  if (ifNoneMatch === undefined || tag === undefined) return;
  if (ifNoneMatch.trim() === '*' || namesTag(ifNoneMatch, tag)) throw isStored(name);
}

/** Another write has come between the check and the transaction. */
function asRefusal({ reason }: ChangeRefused, name: ManagedKindName, { kind }: WritableKind): Error {
  if (reason === 'exists') return alreadyExists(name);
  if (reason === 'missing') return recordNotFound(name);
  if (reason === 'changed') return preconditionFailed(managedKind(name).noun);
  if (reason === 'in_use') return inUse(name, []);
  if (reason === 'use_import') return useImport();
  const path = kindRow(kind).unique ?? 'id';
  const message = `Must be unique: a stored record has the same ${path}.`;
  return badRequest([validationFailed(placed({ path, code: 'duplicate' as const, message }))]);
}

function answerOf(
  request: ManageRequest,
  { name, id }: RecordAddress,
  { view = (record) => record }: WritableKind,
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
      ...(isNew && { location: addressOf(name, id) }),
      ...(missing.length > 0 && { 'x-missing-references': missing.join(', ') }),
    },
    json: JSON.stringify(view(after as JsonObject, effectivePermissions(request.principal), context)),
  };
}

const addressOf = (name: ManagedKindName, id: string): string =>
  `/api/v1/manage/${name}/${id.split('/').map(encodeURIComponent).join('/')}`;

/** The answer as the function gives it. */
export const replyOf = ({ status, headers, json }: WriteAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json };
