import { isDeepStrictEqual } from 'node:util';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { type Issue, type JsonObject, textOf, withPath } from '#lib/domain/input.ts';
import { scheduleMembers, withoutPassedTimes, withPassedTimes } from '#lib/domain/schedule.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { mergePatch } from '#lib/domain/text/merge-patch.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { refusedPrecondition, requireMatch } from '#lib/http/preconditions.ts';
import { checkRecord } from '#lib/records/check-record.ts';
import { inSpelling } from '#lib/records/in-languages.ts';
import { shortRevision } from '#lib/table/log/change-log.ts';
import type { StoredRecord, WrittenRecord } from '#lib/table/writer/change.ts';
import { type KindContext, type ManageRequest, parseRecordAddress, type RecordWrite } from './managed-record.ts';
import { alreadyExists, databaseNotFound, recordNotFound } from './refusals.ts';
import { shownRecord } from './shown-record.ts';
import { lookupIn } from './stored-lookup.ts';

/** Gateways and clients limit the total size of headers. */
const missingMax = 20;

/**
 * Checks a write against the stored record, in the order of lib/manage/README.md. It runs again if the record has
 * changed in the meantime.
 * @returns the record to store, null to remove it; and the paths of references to missing records
 * @throws 400, 403, 404, 409, 412
 */
export async function checkWrite(
  request: ManageRequest,
  { restores, ...asked }: RecordWrite,
  context: KindContext,
  { record, etag, revision }: Omit<StoredRecord, 'item'>,
) {
  // What is stored may break a newer rule. A patch without members leaves it as it is.
  const isStored = restores && revision !== undefined && restores.revision === shortRevision(revision);
  const write: RecordWrite = isStored
    ? { ...asked, verb: 'update', body: {} }
    : { ...asked, ...(restores && { restores }) };
  const { verb, rules } = write;
  const granted = effectivePermissions(request.principal);
  const stored = record as JsonObject | undefined;
  const isVisible = stored !== undefined && (rules.exists?.(stored, granted) ?? true);
  const needsStored = verb === 'update' || verb === 'delete';
  if (needsStored && !isVisible) throw recordNotFound(rules.managed.noun);
  if (needsStored) requireConditionsOf(write, etag);
  if (verb === 'delete') {
    if (!rules.refuseRemoval) throw new Error('This function removes no records of the kind.');
    await rules.refuseRemoval(request, write.id);
    return { record: null, missing: [] };
  }
  // A record that the caller may not see has this id, so it cannot be replaced.
  const before = isVisible && verb !== 'create' ? shownRecord(rules, stored, granted, context) : undefined;
  const checked = await checkSubmittedRecord(request, write, before, context);
  if (stored && !before) throw alreadyExists(rules.managed, verb);
  if (!needsStored) requireConditionsOf(write, etag);
  await rules.authorize?.(request, before, checked.record, write);
  // A write with a change removes texts and values that are no longer shown; a write without one keeps them.
  if (before && before !== stored && !write.issued && checked.leavesUnchanged(before))
    return { record: stored as unknown as WrittenRecord, missing: checked.missing };
  const complete = rules.complete?.(checked.record, stored, granted, context, write) ?? checked.record;
  return { record: complete as unknown as WrittenRecord, missing: checked.missing };
}

/** The record as an import would write it. @throws 400 */
async function checkSubmittedRecord(
  { table, principal }: ManageRequest,
  write: RecordWrite,
  before: JsonObject | undefined,
  { languages = [] }: KindContext,
): Promise<{
  readonly record: JsonObject;
  readonly missing: readonly string[];
  /** True if the write would not change the stored record. */
  readonly leavesUnchanged: (stored: JsonObject) => boolean;
}> {
  const { kind, rules, id, verb, restores } = write;
  const { hasParent, prepare = (record) => record, lookup: restricted = (all) => all, fixed = () => ({}) } = rules;
  const submitted = restores ? withoutStampsOf(before, write.body) : (write.body ?? {});
  const isPatch = verb === 'update';
  const recordAddress = parseRecordAddress(id);
  const whole = lookupIn(table, principal, languages, { kind, rules, ...recordAddress, before });
  const { modelId } = recordAddress;
  const model = isPatch && modelId !== undefined ? await whole.model(modelId) : undefined;
  // A patch in another spelling would add a language to the stored ones.
  const body = inSpelling(rules, submitted, languages, model);
  const merged = isPatch ? (mergePatch(withoutStamps(before), body, rules.schema) as JsonObject) : body;
  const address = Object.entries(recordAddress).filter(([, value]) => value !== '');
  const input = prepare({ ...Object.fromEntries(address), ...merged }, { isPatch, patch: body });
  // The body of a new record determines its id, unless the id in the body is invalid.
  const addressIds = Object.fromEntries(
    address.filter(([member]) => verb !== 'create' || isRecordId(textOf(input[member]))),
  );
  const lookup = restricted({ ...whole, isPatch }, effectivePermissions(principal));
  // With another id, its names would belong to another record.
  const own = withFixed(withAddressIds(input, addressIds), fixed(before, write));
  const { record, failures, warnings } = await checkRecord({ kind, rules, record: own.record }, lookup);
  // The database in the path was removed since it was read, so the record no longer exists.
  const isParentRemoved = failures.some(({ path, code }) => path === 'modelId' && code === 'not_found');
  if (hasParent && verb !== 'create' && isParentRemoved) throw databaseNotFound();
  const otherIds = Object.entries(addressIds)
    .filter(([member, value]) => input[member] !== value && typeof input[member] === 'string')
    .map(([path]) => ({ path, code: 'not_allowed' as const, message: 'Must be the one in the address.' }));
  const issues = [...otherIds, ...own.issues, ...failures];
  if (issues.length > 0) throw badRequest(issues.map(withPath).map(validationFailed));
  if (!record) throw new Error('The check returned neither a record nor issues.');
  // A patch that names none leaves the times to the service.
  const namesTimes = !isPatch || scheduleMembers.some((member) => Object.hasOwn(body, member));
  const settle = restores ? withoutPassedTimes : withPassedTimes;
  const timely = namesTimes ? settle(record as JsonObject) : record;
  return {
    record: timely,
    missing: [...new Set(warnings.filter(({ code }) => code === 'not_found').map(({ path }) => path))].slice(
      0,
      missingMax,
    ),
    leavesUnchanged: (stored) =>
      [timely === record ? input : timely, timely].some((candidate) =>
        isDeepStrictEqual(withStampsOf(stored, candidate), stored),
      ),
  };
}

/** A string id is replaced by that of the path. An id of another type is an issue. */
const withAddressIds = (record: JsonObject, addressIds: JsonObject): JsonObject => ({
  ...record,
  ...Object.fromEntries(Object.entries(addressIds).filter(([member]) => typeof record[member] === 'string')),
});

/** Members that a body may not change count as unchanged, so that they have one issue. */
function withFixed(record: JsonObject, fixed: JsonObject): { readonly record: JsonObject; readonly issues: Issue[] } {
  const moved = Object.entries(fixed).filter(([name, value]) => Object.hasOwn(record, name) && record[name] !== value);
  const issues = moved.map(([path]) => ({
    path,
    code: 'not_allowed' as const,
    message: path === 'id' ? 'Must be the one in the address.' : 'Must be the stored one; it cannot be changed.',
  }));
  return { record: { ...record, ...Object.fromEntries(moved) }, issues };
}

/** Stamps stay or move as if they had not been sent (lib/spec/additions.md section 2, time stamps). */
function withoutStamps(record: JsonObject = {}): JsonObject {
  const { createdAt, updatedAt, ...rest } = record;
  return rest;
}

/** A version keeps `createdAt` of the stored record; a deleted record gets it back. */
function withoutStampsOf(before: JsonObject | undefined, version: JsonObject = {}): JsonObject {
  const { createdAt } = version;
  return { ...withoutStamps(version), ...(!before && createdAt !== undefined && { createdAt }) };
}

/** Adds the stamps of another record if a record has none. */
const withStampsOf = ({ createdAt, updatedAt }: JsonObject, record: JsonObject): JsonObject => {
  const stamps = Object.entries({ createdAt, updatedAt }).filter(
    ([name, stamp]) => stamp !== undefined && record[name] === undefined,
  );
  const members = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...members, ...stamps]);
};

/** @throws 412 */
function requireConditionsOf({ rules, ifMatch, ifNoneMatch }: RecordWrite, etag: string | undefined): void {
  const { noun } = rules.managed;
  const tag = etag === undefined ? undefined : `"${etag}"`;
  requireMatch(ifMatch, tag, noun);
  if (tag !== undefined && ifNoneMatchHolds(ifNoneMatch, tag))
    throw refusedPrecondition(`The ${noun} with this id already exists.`);
}
