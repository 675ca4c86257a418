import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isInEffect, isPending } from '#lib/domain/access/membership.ts';
import { ApiKeyRecords, secretsOf } from '../access/api-key-records.ts';
import { isNewOrStill, isStill, setting } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { accessChange, newChangeId } from '../log/change-log.ts';
import { editedNow } from '../stored-item.ts';
import type { Item, TransactItem, Writes } from '../table.ts';
import { ChangeRefused } from './apply-change.ts';
import type { WriteScope } from './change.ts';
import { appliedOf } from './record-items.ts';
import { type Rules, recordRules } from './record-rules.ts';

/**
 * A transaction has at most 100 writes. The rest are the member, its addresses, guards, log item, audit event and
 * idempotency record.
 */
const copiesMax = 80;

/** Members. The transaction of a member copies its state onto its keys, so that a request reads only its key. */
export const memberRules: Rules = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'member', id), keys.memberKeysOf(workspaceId, id)],
  guards: (workspaceId, id) => [keys.memberKeysOf(workspaceId, id), keys.managers(workspaceId)],
  read: recordRules.read,
  plan: async (scope, { id, record }, { record: stored, revision: replaced, item }) => {
    const { table, workspaceId, context } = scope;
    const [before, after] = [stored as Member | undefined, (record ?? undefined) as Member | undefined];
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return undefined;
    const { isImport = false } = context;
    const [former, address] = [memberAddress(before?.email), memberAddress(after?.email)];
    const ownerOf = (name: string | undefined) =>
      name === undefined || former === address ? undefined : table.get(keys.slug(workspaceId, 'member', name));
    const [keysGuard, managersGuard, owner, formerOwner] = await Promise.all([
      table.get(keys.memberKeysOf(workspaceId, id)),
      table.get(keys.managers(workspaceId)),
      ownerOf(address),
      isImport ? ownerOf(former) : { id },
    ]);
    // The members of a document may exchange their addresses.
    if (owner && owner['id'] !== id && !isImport) throw new ChangeRefused('duplicate');
    const change = { ...scope, id, before, after };
    // The guards are read before the keys and members that they stand for.
    const [copies, managers] = await Promise.all([
      copyWrites(change, keysGuard),
      isImport ? [] : managerWrites(change, managersGuard),
    ]);
    // Many keys, each with a former secret, have more copies than fit.
    const earlier = copies.slice(0, Math.max(0, copies.length - copiesMax));
    const revision = newChangeId(replaced);
    return {
      revision,
      applied: appliedOf(before, after, text),
      first: Array.from({ length: Math.ceil(earlier.length / copiesMax) }, (_, part) => ({
        copies: earlier.slice(part * copiesMax, (part + 1) * copiesMax),
      })),
      writes: {
        record: memberWrite(change, item, revision),
        // An import may have given the former address to another member.
        ...addressWrites(change, owner, formerOwner?.['id'] === id ? former : undefined),
        managers,
        memberKeys: guardWrites(change, keysGuard),
        copies: copies.slice(earlier.length),
      },
      logged: copies.length > 0 ? [accessChange(id)] : [],
    };
  },
};

interface MemberChange extends WriteScope {
  readonly id: string;
  readonly before: Member | undefined;
  readonly after: Member | undefined;
}

/** Its condition: the member has not changed since it was read. A change by an import is no edit. */
function memberWrite(
  { workspaceId, context: { isImport, invitedBy }, id, before, after }: MemberChange,
  item: Item | undefined,
  revision: string,
): TransactItem {
  const Key = keys.record(workspaceId, 'member', id);
  const isUnchanged = isStill('record', item?.['record']);
  if (!after) return { Delete: { Key, ...isUnchanged } };
  const isMoved = memberAddress(before?.email) !== memberAddress(after.email);
  const marks = { revision, ...editedNow(), ...(isMoved && isPending(after) && { invitedBy }) };
  const attributes = {
    record: JSON.stringify(after),
    ...(isImport ? { revision: undefined, editedAt: undefined } : marks),
    // A new address ends sessions and identity; deactivation ends sessions.
    ...(isMoved && { identity: undefined }),
    ...((isMoved || !after.active) && { epoch: undefined }),
  };
  return { Update: { Key, ...setting(attributes, isUnchanged) } };
}

/**
 * Moves the pointer of the address. An address belongs to at most one member of a workspace.
 * @param owner the pointer of the new address as it was read
 * @param gone the former address, if it leads to the member
 */
function addressWrites(
  { workspaceId, id, before, after }: MemberChange,
  owner: Item | undefined,
  gone: string | undefined,
): Writes {
  const name = memberAddress(after?.email);
  if (memberAddress(before?.email) === name) return {};
  const pointerOf = (address: string) => keys.slug(workspaceId, 'member', address);
  const membershipOf = (address: string) => keys.membership(address, workspaceId);
  const isFreeOrOwn = isNewOrStill('id', id);
  return {
    address: name === undefined ? [] : { Put: { Item: { ...pointerOf(name), id }, ...isStill('id', owner?.['id']) } },
    formerAddress: gone === undefined ? [] : { Delete: { Key: pointerOf(gone), ...isFreeOrOwn } },
    memberships: [
      ...(name === undefined ? [] : [{ Put: { Item: { ...membershipOf(name), id } } }]),
      ...(gone === undefined ? [] : [{ Delete: { Key: membershipOf(gone), ...isFreeOrOwn } }]),
    ],
  };
}

const copyOf = (member: Member | undefined) =>
  member && { active: isInEffect(member), permissions: [...member.permissions] };

const isCopied = ({ before, after }: MemberChange): boolean => !isDeepStrictEqual(copyOf(before), copyOf(after));

/** Updates the copy of the member at each of its secrets that may still be valid. */
async function copyWrites(change: MemberChange, keysGuard: Item | undefined): Promise<TransactItem[]> {
  const { table, workspaceId, id, before, after } = change;
  if (!isCopied(change) || (!before && !keysGuard)) return [];
  const own = (await new ApiKeyRecords(table, { workspaceId }).list()).filter(({ memberId }) => memberId === id);
  const now = new Date().toISOString();
  return own.flatMap((key) => {
    const isOfKey = {
      ConditionExpression: '#keyId = :keyId AND #workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':keyId': key.id, ':workspaceId': workspaceId },
    };
    return secretsOf(key)
      .filter(({ until }) => until === null || until > now)
      .map(({ hash }) => ({ Update: { Key: keys.apiKey(hash), ...setting({ member: copyOf(after) }, isOfKey) } }));
  });
}

/** Fails if a key of the member got a secret since the guard was read. The guard is read before the keys. */
function guardWrites(change: MemberChange, keysGuard: Item | undefined): TransactItem[] {
  if (!isCopied(change)) return [];
  const update = setting({ change: randomUUID() }, isStill('change', keysGuard?.['change']));
  return [{ Update: { Key: keys.memberKeysOf(change.workspaceId, change.id), ...update } }];
}

/** Makes concurrent removals of managers conflict, so that the last manager stays. @throws ChangeRefused */
async function managerWrites(
  { table, workspaceId, id, before, after }: MemberChange,
  guard: Item | undefined,
): Promise<TransactItem[]> {
  const losesAddress = Boolean(before?.email) && after?.email === null;
  if (!isManager(before) || (isManager(after) && !losesAddress)) return [];
  const members = await new ApiKeyRecords(table, { workspaceId }).members();
  // A manager without an address cannot sign in, so another one must be able to.
  const isLeft = members.some(
    (other) => other.id !== id && isManager(other) && (!isManager(after) || other.email !== null),
  );
  if (!isLeft) throw new ChangeRefused('last_manager');
  const item = { ...keys.managers(workspaceId), change: randomUUID() };
  return [{ Put: { Item: item, ...isStill('change', guard?.['change']) } }];
}

/** True for a member in effect who may manage members. */
const isManager = (member: Member | undefined): boolean =>
  member !== undefined && isInEffect(member) && member.permissions.includes('access:member:manage');
