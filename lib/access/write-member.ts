import { memberAddress, withConsent } from '#lib/domain/access/member.ts';
import { Member } from '#lib/domain/access/member-record.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { mergePatch } from '#lib/domain/text/merge-patch.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import { openLookup } from '#lib/manage/stored-lookup.ts';
import { checkRecord } from '#lib/records/check-record.ts';
import { changeMember, findMember, type MemberChange, type StoredMember } from '#lib/table/access/change-member.ts';
import { LastManager } from '#lib/table/access/member-writes.ts';
import { type AppliedChange, ChangeRefused } from '#lib/table/writer/change.ts';
import {
  type AccessAnswer,
  type AccessCall,
  alreadyExists,
  auditOf,
  immutableIssues,
  locationOf,
  newRecordId,
  refuseIssues,
  replyOf,
  requireConditionsOf,
} from './access-call.ts';
import { answerChange } from './answer-change.ts';
import { requireGrantable } from './granting.ts';

export const memberNotFound = () => notFound('Member');

/** @throws 400, 403, 409 */
export function createMember(call: AccessCall) {
  const body = call.body as JsonObject;
  const id = newRecordId(body, 'mem_');
  return answerMemberChange(call, 'POST members', {
    id,
    decide: async (stored) => {
      const member = await checkedMember(call, { ...body, id: Object.hasOwn(body, 'id') ? body['id'] : id });
      if (stored) throw alreadyExists('member', 'Use PUT to replace it.');
      requireGrantable(call.principal, { after: member.permissions });
      return withConsent(undefined, member);
    },
  });
}

/** Creates a member or replaces it as a whole. @throws 400, 403, 409 `last_manager`, 412 */
export const replaceMember = (call: AccessCall, id: string) =>
  answerMemberChange(call, `PUT members/${id}`, {
    id,
    decide: async (stored) => {
      const member = await checkedMember(call, { id, ...(call.body as JsonObject) }, { id, before: stored?.record });
      requireConditionsOf(call, 'member', stored?.etag);
      requireMayChange(call, stored, member);
      return withConsent(stored?.record, member);
    },
  });

/** Changes properties of a member (JSON Merge Patch). @throws 400, 403, 404, 409 `last_manager`, 412 */
export const updateMember = (call: AccessCall, id: string) =>
  answerMemberChange(call, `PATCH members/${id}`, {
    id,
    decide: async (stored) => {
      if (!stored) throw memberNotFound();
      requireConditionsOf(call, 'member', stored.etag);
      const merged = mergePatch(stored.record, call.body, Member) as JsonObject;
      const member = await checkedMember(call, merged, { id, before: stored.record });
      requireMayChange(call, stored, member);
      return withConsent(stored.record, member);
    },
  });

/** Removes a member. Its keys are refused from the next request on. @throws 404, 409 `last_manager`, 412 */
export const deleteMember = (call: AccessCall, id: string) =>
  answerMemberChange(call, `DELETE members/${id}`, {
    id,
    decide: (stored) => {
      if (!stored) throw memberNotFound();
      requireConditionsOf(call, 'member', stored.etag);
      return null;
    },
  });

/** A new address or a reactivated member gives all permissions of the member to a person. @throws 403 */
function requireMayChange({ principal }: AccessCall, stored: StoredMember | undefined, after: Member): void {
  const before = stored?.record;
  const isMoved = before !== undefined && memberAddress(before.email) !== memberAddress(after.email);
  const isActivated = before !== undefined && !before.active && after.active;
  const { permissions } = after;
  requireGrantable(principal, {
    before: before?.permissions,
    after: permissions,
    isNewCredential: isMoved || isActivated,
  });
}

/** The record as an import would store it. @throws 400 with all issues */
async function checkedMember(
  call: AccessCall,
  body: JsonObject,
  written?: { readonly id: string; readonly before: Member | undefined },
): Promise<Member> {
  const own = written && { id: written.id };
  const lookup = await openLookup(call.table, call.principal, written && { kind: 'member', ...written });
  // With another id, its address would belong to another member.
  const { record, failures } = await checkRecord({ kind: 'member', record: { ...body, ...own } }, lookup);
  // Only the person accepts.
  const consent = { acceptedAt: written?.before?.acceptedAt ?? null };
  refuseIssues([...immutableIssues(body, { ...own, ...consent }), ...failures]);
  if (!record) throw new Error('The check returned neither a record nor issues.');
  return record as unknown as Member;
}

async function answerMemberChange(call: AccessCall, operation: string, change: Omit<MemberChange, 'additionalWrites'>) {
  const { table, principal } = call;
  const { id } = change;
  if (!operation.startsWith('POST') && !isRecordId(id)) throw memberNotFound();
  const { answer } = await answerChange<AppliedChange>(call, operation, {
    kind: 'members',
    id,
    apply: async (additionalWrites) => {
      const invitedBy = await addressOf(call);
      return changeMember(table, principal, { ...change, invitedBy, additionalWrites }).catch(throwWriteError);
    },
    audit: (applied) => auditOf(call, ['members', id], actions[applied.status], applied),
    answerOf,
    show: (currentId) => showMember(call, currentId),
  });
  return replyOf(answer);
}

/** The address that a person sees who has to accept the membership. A key without a member has none. */
async function addressOf({
  table,
  principal: { session, member, workspaceId },
}: AccessCall): Promise<string | undefined> {
  const caller = session?.member ?? (member && (await findMember(table, { workspaceId }, member.id))?.record);
  return memberAddress(caller?.email);
}

const actions = { created: 'create', replaced: 'update', removed: 'delete', unchanged: 'update' } as const;

function answerOf({ status, after, etag }: AppliedChange): AccessAnswer {
  if (!after) return { status: 204, headers: {} };
  const { id } = after as Member;
  const isNew = status === 'created';
  const headers = { etag: `"${etag}"`, ...(isNew && { location: locationOf('members', id) }) };
  return { status: isNew ? 201 : 200, headers, body: after };
}

async function showMember({ table, principal }: AccessCall, id: string): Promise<AccessAnswer> {
  const stored = await findMember(table, principal, id);
  if (!stored) throw memberNotFound();
  return { status: 200, headers: { etag: `"${stored.etag}"` }, body: stored.record };
}

function throwWriteError(error: unknown): never {
  if (error instanceof LastManager) {
    const message =
      'This is the last active member with access:member:manage. Give another member this permission first.';
    throw new HttpError(409, 'last_manager', message);
  }
  if (!(error instanceof ChangeRefused)) throw error;
  if (error.reason !== 'duplicate') throw memberNotFound();
  refuseIssues([{ path: 'email', code: 'duplicate', message: 'Must be unique: a stored record has the same email.' }]);
  throw error;
}
