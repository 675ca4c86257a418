import { isInForce, memberKeysMax } from '#lib/domain/access/api-key.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { type Member, memberAddress, withConsent } from '#lib/domain/access/member.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { type Issue, type JsonObject, withPath } from '#lib/domain/input.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { badRequest, HttpError, validationFailed } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import { ApiKeyInput, apiKey, member } from '#lib/kinds/access.ts';
import type { EditRules, IssuedSecret, ManageRequest } from '#lib/manage/managed-record.ts';
import { type ApiKeyRecord, ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { keys } from '#lib/table/keys.ts';
import { findRecord, type Table, type WorkspaceScope } from '#lib/table/table.ts';
import { keyRules as keyStorage } from '#lib/table/writer/key-rules.ts';
import { memberRules as memberStorage } from '#lib/table/writer/member-rules.ts';
import { requireGrantable } from './granting.ts';

type Request = Pick<ManageRequest, 'table' | 'principal'>;

function withoutSecrets(record: ApiKeyRecord) {
  const { secretHash, retired, ...shown } = record;
  return shown;
}

/** The time of a key's last use, truncated to the hour; null before its first use. Access pattern R2. */
async function lastUseOf(table: Table, { workspaceId }: WorkspaceScope, keyId: string): Promise<string | null> {
  const item = isRecordId(keyId) ? await table.get(keys.keyUse(workspaceId, keyId)) : undefined;
  return item ? String(item['at']) : null;
}

export const shownKey = async ({ table, principal }: Request, record: ApiKeyRecord) => ({
  ...withoutSecrets(record),
  lastUsedAt: await lastUseOf(table, principal, record.id),
});

const keyOf = (record: JsonObject): ApiKeyRecord => record as unknown as ApiKeyRecord;

/** The rules of API keys (lib/spec/additions.md section 2, granting). */
export const keyRules: EditRules = {
  ...apiKey,
  // No caller chooses the secret of a key.
  schema: ApiKeyInput,
  storage: keyStorage,
  context: async ({ table, principal }, id) => ({
    lastUsedAt: id === undefined ? null : await lastUseOf(table, principal, id),
  }),
  view: (record, _, { lastUsedAt = null }) => ({ ...withoutSecrets(keyOf(record)), lastUsedAt }),
  // The last use is shown, but not written.
  prepare: ({ lastUsedAt, ...record }, { patch }) =>
    Object.hasOwn(patch, 'lastUsedAt') ? { ...record, lastUsedAt } : record,
  fixed: (before, { id }) => (before ? { id, memberId: before['memberId'] } : {}),
  authorize: async (request, before, after, { issued }) => {
    const [former, next] = [before && keyOf(before), keyOf(after)];
    requireGrantable(request.principal, {
      before: former?.permissions,
      after: next.permissions,
      isNewCredential: issued !== undefined || (former !== undefined && isRevived(former, next)),
    });
    if (issued) await requireMaySpeakBy(request, next);
  },
  complete: (record, stored, _, __, { issued }) => ({ ...record, ...secretsOf(keyOf(record), stored, issued) }),
  // The event of a new secret says if it speaks as another member.
  audited: ({ principal }, { after }, { issued }) => {
    const { memberId } = after as ApiKeyRecord;
    return issued && memberId !== null && !isOneself(principal, memberId) ? ['memberId'] : [];
  },
  refusals: {
    no_member: () => refusedMember('not_found', 'Must be the id of a member of the workspace.'),
    too_many_keys: () => refusedMember('max_items', `Must be a member with fewer than ${memberKeysMax} keys.`),
  },
};

const refusedMember = (code: Issue['code'], message: string) =>
  badRequest([validationFailed(withPath({ path: 'memberId', code, message }))]);

/**
 * The secret of a key lets its holder speak as the key's member. So the secret of another member's key is given only to
 * a caller who could also sign in as the member: by another e-mail address (lib/spec/additions.md section 6).
 * @throws 403 that names the first missing permission
 */
async function requireMaySpeakBy({ table, principal }: Request, { memberId }: ApiKeyRecord): Promise<void> {
  const member = memberId === null ? undefined : await findRecord<Member>(table, principal, 'member', memberId);
  if (!member || isOneself(principal, member.id)) return;
  if (!effectivePermissions(principal).has('access:member:manage')) {
    throw lacksPermission('access:member:manage', principal.kind);
  }
  requireGrantable(principal, { after: member.permissions, isNewCredential: true });
}

const isOneself = ({ member }: Pick<Principal, 'member'>, memberId: string): boolean => member?.id === memberId;

/** True if a change removes or postpones a key's revocation, or moves its expiry. */
const isRevived = (before: ApiKeyRecord, after: ApiKeyRecord): boolean =>
  before.expiresAt !== after.expiresAt ||
  (before.revokedAt !== null && (after.revokedAt === null || after.revokedAt > before.revokedAt));

/** The secrets of a key after a write. The former one stays valid for the grace period, earlier ones become invalid. */
function secretsOf(
  { revokedAt }: ApiKeyRecord,
  stored: JsonObject | undefined,
  issued: IssuedSecret | undefined,
): Pick<ApiKeyRecord, 'secretHash' | 'retired'> {
  const former = stored && keyOf(stored);
  if (issued) {
    const { stored: secretHash, graceSeconds } = issued;
    const until = new Date(Date.now() + graceSeconds * 1_000).toISOString();
    const retired = former && graceSeconds > 0 ? { secretHash: former.secretHash, until } : null;
    return { secretHash, retired };
  }
  if (!former) throw new Error('A new key needs a secret.');
  const { secretHash, retired } = former;
  // A revoked key does not become valid again with its old secret.
  const isRevoked = revokedAt !== null && revokedAt <= new Date().toISOString();
  return { secretHash, retired: isRevoked ? null : retired };
}

const memberOf = (record: JsonObject): Member => record as unknown as Member;

/** The rules of members (lib/spec/additions.md section 2, granting). */
export const memberRules: EditRules = {
  ...member,
  storage: memberStorage,
  writeContext: async (request) => ({ invitedBy: await addressOf(request) }),
  // Only the person accepts.
  fixed: (before, { id, verb }) => ({
    ...(verb !== 'create' && { id }),
    acceptedAt: before?.['acceptedAt'] ?? null,
  }),
  // A new address or a reactivated member gives all permissions of the member to a person.
  authorize: async (request, stored, record) => {
    const { principal } = request;
    const [before, after] = [stored && memberOf(stored), memberOf(record)];
    const isMoved = before !== undefined && memberAddress(before.email) !== memberAddress(after.email);
    const isActivated = !before?.active && after.active;
    requireGrantable(principal, {
      before: before?.permissions,
      after: after.permissions,
      isNewCredential: isMoved || isActivated,
    });
    if (!isActivated) return;
    // Its keys count again, also those of a removed member with the same id.
    const revived = await keysOf(request, after.id);
    requireGrantable(principal, { after: revived.flatMap(({ permissions }) => permissions) });
  },
  complete: (record, stored) => ({ ...withConsent(stored && memberOf(stored), memberOf(record)) }),
  refusals: {
    last_manager: () =>
      new HttpError(
        409,
        'last_manager',
        'This is the last active member with access:member:manage. Give another one, with an e-mail address, this permission first.',
      ),
  },
};

/** The keys of a member that are neither revoked nor expired. Few members have one before they are active. */
async function keysOf({ table, principal }: ManageRequest, memberId: string) {
  if (!(await table.get(keys.memberKeysOf(principal.workspaceId, memberId)))) return [];
  const all = await new ApiKeyRecords(table, principal).list();
  return all.filter((key) => key.memberId === memberId && isInForce(key));
}

/** The address that a person sees who has to accept the membership. A key without a member has none. */
async function addressOf({ table, principal }: ManageRequest): Promise<string | undefined> {
  const { session, member, workspaceId } = principal;
  const caller = session?.member ?? (member && (await findRecord<Member>(table, { workspaceId }, 'member', member.id)));
  return memberAddress(caller?.email);
}
