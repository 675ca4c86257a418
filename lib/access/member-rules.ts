import { isInForce } from '#lib/domain/access/api-key.ts';
import { type Member, memberAddress, withConsent } from '#lib/domain/access/member.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { HttpError } from '#lib/http/errors.ts';
import { member } from '#lib/kinds/access.ts';
import type { EditRules, ManageRequest } from '#lib/manage/managed-record.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { keys } from '#lib/table/keys.ts';
import { findRecord } from '#lib/table/table.ts';
import { memberRules as storage } from '#lib/table/writer/member-rules.ts';
import { requireGrantable } from './granting.ts';

const memberOf = (record: JsonObject): Member => record as unknown as Member;

/** The rules of members (lib/spec/additions.md section 2, granting). */
export const memberRules: EditRules = {
  ...member,
  storage,
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
