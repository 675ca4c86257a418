import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { unknownMember } from '#lib/domain/schema-issue.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { mergePatch } from '#lib/domain/text/merge-patch.ts';
import { badRequest, notFound, validationFailed } from '#lib/http/errors.ts';
import { ApiKeyInput } from '#lib/kinds/access.ts';
import { openLookup } from '#lib/manage/stored-lookup.ts';
import { checkRecord } from '#lib/records/check-record.ts';
import { type ApiKeyRecord, memberKeysMax } from '#lib/table/access/api-key-records.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { changeKey, type KeyApplied, type KeyChange, KeyRefused } from '#lib/table/access/change-api-key.ts';
import { findMember } from '#lib/table/access/change-member.ts';
import { lastUseOf } from '#lib/table/access/key-uses.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
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
import { answerKey } from './answers.ts';
import { isOneself, requireGrantable, requireMaySpeakAs } from './granting.ts';
import { keyView } from './key-view.ts';

/** No cache may store a secret. */
const noStore = { 'cache-control': 'no-store' };
const keyNotFound = () => notFound('API key');

/** Creates a key. Only this answer has its secret. @throws 400, 403, 409 */
export async function createKey(call: AccessCall) {
  const body = call.body as JsonObject;
  const id = newRecordId(body, 'key_');
  const secret = newSecret();
  const change: Omit<KeyChange, 'additionalWrites'> = {
    id,
    decide: async (stored) => {
      const record = await checkedKey(call, { ...body, id: Object.hasOwn(body, 'id') ? body['id'] : id });
      if (stored) throw alreadyExists('API key', 'Use PATCH to change it.');
      requireGrantable(call.principal, { after: record.permissions });
      await requireMaySpeakBy(call, record);
      return { ...record, secretHash: hashOfSecret(secret), retired: null };
    },
  };
  return answerKeyChange(call, 'POST api-keys', change, secret);
}

/** Changes name, permissions and the times at which a key ends. @throws 400, 403, 404, 412 */
export const updateKey = (call: AccessCall, id: string) =>
  answerKeyChange(call, `PATCH api-keys/${id}`, {
    id,
    decide: async (stored) => {
      if (!stored) throw keyNotFound();
      requireConditionsOf(call, 'API key', stored.etag);
      const before = stored.record;
      const { lastUsedAt, ...view } = keyView(before, null);
      const patch = call.body as JsonObject;
      const merged = mergePatch(view, patch, ApiKeyInput) as JsonObject;
      const { id: own, memberId } = before;
      const record = await checkedKey(call, merged, { id: own, memberId }, view);
      requireGrantable(call.principal, {
        before: before.permissions,
        after: record.permissions,
        isNewCredential: isRevived(before, record) || before.expiresAt !== record.expiresAt,
      });
      const now = new Date().toISOString();
      const isRevoked = record.revokedAt !== null && record.revokedAt <= now;
      const { secretHash, retired } = before;
      // A revoked key does not become valid again with its old secret.
      return { ...record, secretHash, retired: isRevoked ? null : retired };
    },
  });

/**
 * Gives a key a new secret. The former one stays valid for the grace period, earlier ones become invalid.
 * @throws 403, 404
 */
export async function rotateKey(call: AccessCall, id: string, graceSeconds: number) {
  const secret = newSecret();
  const change: Omit<KeyChange, 'additionalWrites'> = {
    id,
    decide: async (stored) => {
      if (!stored) throw keyNotFound();
      const { record } = stored;
      requireGrantable(call.principal, { after: record.permissions, isNewCredential: true });
      await requireMaySpeakBy(call, record);
      const until = new Date(Date.now() + graceSeconds * 1_000).toISOString();
      const retired = graceSeconds > 0 ? { secretHash: record.secretHash, until } : null;
      return { ...record, secretHash: hashOfSecret(secret), retired };
    },
  };
  return answerKeyChange(call, `POST api-keys/${id}/rotate`, change, secret);
}

/** The caller gets the secret of this key. @throws 403 */
async function requireMaySpeakBy({ table, principal }: AccessCall, { memberId }: CheckedKey): Promise<void> {
  const member = memberId === null ? undefined : await findMember(table, principal, memberId);
  if (member) requireMaySpeakAs(principal, member.record);
}

/** True if a change removes or postpones a key's revocation. */
const isRevived = (before: ApiKeyRecord, after: Pick<ApiKeyRecord, 'revokedAt'>): boolean =>
  before.revokedAt !== null && (after.revokedAt === null || after.revokedAt > before.revokedAt);

type CheckedKey = Omit<ApiKeyRecord, 'secretHash' | 'retired'>;

/** The record as an import would store it. @throws 400 with all issues */
async function checkedKey(
  call: AccessCall,
  body: JsonObject,
  stored: Partial<CheckedKey> = {},
  before?: JsonObject,
): Promise<CheckedKey> {
  const { secret, secretHash, ...record } = body;
  const names = Object.keys(ApiKeyInput.shape);
  const secrets = ['secret', 'secretHash']
    .filter((name) => Object.hasOwn(body, name))
    .map((path) => ({ path, code: 'unknown_field' as const, message: unknownMember(names) }));
  const lookup = { ...(await openLookup(call.table, call.principal)), stored: before };
  const { record: parsed, failures } = await checkRecord({ kind: 'apiKey', record }, lookup);
  // The key of a removed member can still be changed.
  const isStale = (path: string, code: string) =>
    path === 'memberId' && code === 'not_found' && record['memberId'] === stored.memberId;
  // The message names the properties of a body.
  const moved = immutableIssues(body, stored);
  const issues = failures
    .filter(({ path, code }) => !isStale(path, code) && !moved.some((issue) => issue.path === path))
    .map((issue) => (issue.code === 'unknown_field' ? { ...issue, message: unknownMember(names) } : issue));
  refuseIssues([...moved, ...secrets, ...issues]);
  if (!isObject(parsed)) throw new Error('The check returned neither a record nor issues.');
  return parsed as unknown as CheckedKey;
}

/** @param secret a new secret of the key. Only the first answer has it; a retry gets the record alone */
async function answerKeyChange(
  call: AccessCall,
  operation: string,
  change: Omit<KeyChange, 'additionalWrites'>,
  secret?: string,
) {
  const { table, principal } = call;
  const { id } = change;
  let lastUsedAt: string | null = null;
  const { answer, isFirst } = await answerChange<KeyApplied>(call, operation, {
    kind: 'api-keys',
    id,
    apply: async (additionalWrites) => {
      if (isRecordId(id)) lastUsedAt = await lastUseOf(table, principal, id);
      return changeKey(table, principal, { ...change, additionalWrites }).catch(throwWriteError);
    },
    audit: ({ status, before, after }) => {
      const action = secret !== undefined && before ? 'rotate' : actions[status];
      // The event of a new secret says if it speaks as another member.
      const { memberId } = after;
      const speaksAsOther = memberId !== null && !isOneself(principal, memberId);
      const effect = secret !== undefined && speaksAsOther ? ['memberId'] : [];
      return auditOf(call, ['api-keys', id], action, { before: visible(before), after: visible(after), effect });
    },
    answerOf: (applied) => answerOf(applied, lastUsedAt),
    show: (currentId) => showKey(call, currentId),
  });
  if (secret === undefined) return replyOf(answer);
  const headers = { ...answer.headers, ...noStore };
  return replyOf({ ...answer, headers, body: isFirst ? { ...answer.body, secret } : answer.body });
}

const actions = { created: 'create', replaced: 'update', unchanged: 'update' } as const;

/** The properties whose paths an audit event may contain. */
const visible = (record: ApiKeyRecord | undefined) => record && keyView(record, null);

function answerOf({ status, after, etag }: KeyApplied, lastUsedAt: string | null): AccessAnswer {
  const isNew = status === 'created';
  const headers = { etag: `"${etag}"`, ...(isNew && { location: locationOf('api-keys', after.id) }) };
  return { status: isNew ? 201 : 200, headers, body: keyView(after, lastUsedAt) };
}

const showKey = async (call: AccessCall, id: string): Promise<AccessAnswer> => ({
  status: 200,
  ...(await answerKey(call, id)),
});

function throwWriteError(error: unknown): never {
  if (!(error instanceof KeyRefused)) throw error;
  const issue =
    error.reason === 'no_member'
      ? ({ code: 'not_found', message: 'Must be the id of a member of the workspace.' } as const)
      : ({ code: 'max_items', message: `Must be a member with fewer than ${memberKeysMax} keys.` } as const);
  throw badRequest([validationFailed({ path: 'memberId', code: issue.code, message: `memberId: ${issue.message}` })]);
}
