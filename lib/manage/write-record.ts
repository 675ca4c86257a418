import { randomUUID } from 'node:crypto';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { managedKind } from '#lib/domain/manage/managed-kinds.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { badRequest, preconditionFailed, validationFailed } from '#lib/http/errors.ts';
import { kindRow } from '#lib/records/document-kinds.ts';
import { type JsonObject, textOf } from '#lib/records/json-object.ts';
import { BeingRemoved } from '#lib/table/errors.ts';
import { applyChange, assumeNew } from '#lib/table/writer/apply-change.ts';
import { type AppliedChange, ChangeRefused } from '#lib/table/writer/change.ts';
import { repeatWork } from '#lib/table/writer/repeat-write.ts';
import { audited } from './audited.ts';
import { checkWrite, named, refuseWithoutParent } from './check-write.ts';
import {
  type KindContext,
  type ManageRequest,
  parseRecordAddress,
  type RecordAddress,
  type WritableKind,
} from './managed-record.ts';
import type { RecordWrite, WriteAnswer } from './record-write.ts';
import { alreadyExists, inUse, recordNotFound, useImport } from './refusals.ts';
import { parentOf, Removal } from './removal.ts';
import { languagesFor, shownRecord } from './shown-record.ts';
import { rulesOf } from './writable-kinds.ts';

/** The id of a new record, from the body or random. The id of an entry has the id of its database in front. */
export function createdId(name: ManagedKindName, record: JsonObject = {}): string {
  const [id, modelId] = [textOf(record['id']), textOf(record['modelId'])];
  // An id that no record can have is an issue of the body, and is not looked up.
  const own = isRecordId(id) ? id : newId(name);
  return managedKind(name).idPath ? `${isRecordId(modelId) ? modelId : ''}/${own}` : own;
}

/** A new id of a kind. */
const newId = (name: ManagedKindName): string => `${rulesOf(name).idPrefix}${randomUUID().replaceAll('-', '')}`;

/**
 * Creates, replaces, changes or removes one record: an edit is an import of one record (lib/spec/additions.md section
 * 2).
 * @throws 400 with all issues, 403, 404, 409 `already_exists` and `in_use`, 412, Unavailable; ConditionFailed of the
 * idempotency write. A refused write changes nothing
 */
export const writeRecord = (request: ManageRequest, write: RecordWrite): Promise<WriteAnswer> =>
  repeatWork(
    request.table,
    (table) => attemptWrite({ ...request, table }, write),
    (error) => error instanceof BeingRemoved,
  );

async function attemptWrite(request: ManageRequest, write: RecordWrite): Promise<WriteAnswer> {
  const { principal } = request;
  const rules = rulesOf(write.name);
  const table = rules.milliseconds === undefined ? request.table : request.tableFor(rules.milliseconds);
  let context: KindContext = (await rules.context?.(request)) ?? {};
  if (rules.hasParent?.(parseRecordAddress(write.id), context) === false)
    return refuseWithoutParent(request, write, rules, context);
  let missing: readonly string[] = [];
  if (write.hasNewId) assumeNew(table, principal, { kind: rules.kind, ...parseRecordAddress(write.id) });
  // It is read in one batch with the first reads of the change.
  const languages = languagesFor(rules.kind, table, principal);
  languages.catch(() => undefined);
  const parent = parentOf(rules.kind, parseRecordAddress(write.id).id);
  const removal = parent && !write.hasNewId ? new Removal(principal, parent, write.verb) : undefined;
  removal?.warm(table).catch(() => undefined);
  const answer = (applied: AppliedChange) => answerOf(request, write, rules, context, applied, missing);
  const applied = await applyChange(
    table,
    principal,
    {
      kind: rules.kind,
      ...parseRecordAddress(write.id),
      decide: async (stored, reads) => {
        context = { ...context, languages: await languagesFor(rules.kind, reads, principal) };
        await removal?.look(reads);
        const checked = await checkWrite({ ...request, table: reads }, write, rules, context, stored);
        missing = checked.missing;
        return checked.record;
      },
    },
    {
      now: new Date().toISOString(),
      ...context,
      isInBulk: write.isInBulk === true,
      isAboutRows: write.verb === 'delete' && removal !== undefined,
      extra: (change) => ({
        idempotency: write.idempotency?.(answer(change)),
        ...audited(request, write, change),
        ...rules.extra?.(request, change),
      }),
      guards: (change) => removal?.writes(change) ?? {},
    },
  ).catch((error: unknown) => {
    throw error instanceof ChangeRefused ? asInFlight(error, write.name, rules) : error;
  });
  // A write without changes makes no transaction, but still records its Idempotency-Key.
  if (applied.status === 'unchanged' && write.idempotency) {
    await table.transact({ idempotency: write.idempotency(answer(applied)) });
  }
  return answer(applied);
}

/** Another write was stored between the check and the transaction. */
function asInFlight({ reason }: ChangeRefused, name: ManagedKindName, { kind }: WritableKind): Error {
  if (reason === 'exists') return alreadyExists(name);
  if (reason === 'missing') return recordNotFound(name);
  if (reason === 'changed') return preconditionFailed(managedKind(name).noun);
  if (reason === 'in_use') return inUse(name, []);
  if (reason === 'use_import') return useImport();
  const path = kindRow(kind).unique ?? 'id';
  const message = `Must be unique: a stored record has the same ${path}.`;
  return badRequest([validationFailed(named({ path, code: 'duplicate' as const, message }))]);
}

function answerOf(
  request: ManageRequest,
  { name, id }: RecordAddress,
  rules: WritableKind,
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
      ...(missing.length > 0 && { 'x-missing-references': [...new Set(missing)].join(', ') }),
    },
    json: JSON.stringify(shownRecord(rules, after as JsonObject, effectivePermissions(request.principal), context)),
  };
}

const addressOf = (name: ManagedKindName, id: string): string =>
  `/api/v1/manage/${name}/${id.split('/').map(encodeURIComponent).join('/')}`;

/** The id in the path of a created record. */
export const idAt = (location: string): string => location.split('/').slice(5).map(decodeURIComponent).join('/');

/** The answer in the form that a handler returns. */
export const replyOf = ({ status, headers, json }: WriteAnswer) =>
  status === 204 ? { empty: true as const } : { status, headers, json };
