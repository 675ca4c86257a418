import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isInEffect, isPending } from '#lib/domain/access/membership.ts';
import { isNewOrStill, isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { editedNow } from '../stored-item.ts';
import {
  type Item,
  type Key,
  Repository,
  type Table,
  type TransactItem,
  type WorkspaceScope,
  type Writes,
} from '../table.ts';
import { ChangeRefused } from '../writer/apply-change.ts';
import { ApiKeyRecords, secretsOf } from './api-key-records.ts';

interface MemberVersions {
  readonly id: string;
  readonly before: Member | undefined;
  readonly after: Member | undefined;
  /** The address of the member who makes the change, if it is a member. */
  readonly invitedBy?: string | undefined;
}

export class MemberWrites extends Repository {
  readonly #member: MemberVersions;
  readonly #records: ApiKeyRecords;

  constructor(table: Table, scope: WorkspaceScope, member: MemberVersions) {
    super(table, scope);
    this.#member = member;
    this.#records = new ApiKeyRecords(table, scope);
  }

  /** Its condition: the member has not changed since it was read. A change by an import is no edit. */
  record(item: Item | undefined, revision: string, isImport: boolean): TransactItem {
    const { id, before, after, invitedBy } = this.#member;
    const Key = keys.record(this.workspaceId, 'member', id);
    const condition = isStill('record', item?.['record']);
    if (!after) return { Delete: { Key, ...condition } };
    const isMoved = memberAddress(before?.email) !== memberAddress(after.email);
    const marks = { revision, ...editedNow(), ...(isMoved && isPending(after) && { invitedBy }) };
    const attributes = Object.entries({
      record: JSON.stringify(after),
      ...(isImport ? { revision: undefined, editedAt: undefined } : marks),
      // A new address ends sessions and identity; deactivation ends sessions.
      ...(isMoved && { identity: undefined }),
      ...((isMoved || !after.active) && { epoch: undefined }),
    });
    const set = attributes.filter(([, value]) => value !== undefined);
    const removed = attributes.flatMap(([name, value]) => (value === undefined ? [`#${name}`] : []));
    const removal = removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : '';
    return {
      Update: {
        Key,
        UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
        ...condition,
        ExpressionAttributeValues: {
          ...condition.ExpressionAttributeValues,
          ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        },
      },
    };
  }

  /**
   * Moves the pointer of the address. An address belongs to at most one member of a workspace.
   * @param owner the pointer of the new address as it was read
   * @param formerOwner that of the former one, which an import may have given to another member
   */
  address(owner: Item | undefined, formerOwner: Readonly<Record<string, unknown>> | undefined): Writes {
    const { id, before, after } = this.#member;
    const former = memberAddress(before?.email);
    const name = memberAddress(after?.email);
    if (former === name) return {};
    const keyOf = (address: string): Key => keys.slug(this.workspaceId, 'member', address);
    const membershipKeyOf = (address: string): Key => keys.membership(address, this.workspaceId);
    const isFreeOrOwn = isNewOrStill('id', id);
    const gone = formerOwner?.['id'] === id ? former : undefined;
    return {
      address: name === undefined ? [] : { Put: { Item: { ...keyOf(name), id }, ...isStill('id', owner?.['id']) } },
      formerAddress: gone === undefined ? [] : { Delete: { Key: keyOf(gone), ...isFreeOrOwn } },
      memberships: [
        ...(name === undefined ? [] : [{ Put: { Item: { ...membershipKeyOf(name), id } } }]),
        ...(gone === undefined ? [] : [{ Delete: { Key: membershipKeyOf(gone), ...isFreeOrOwn } }]),
      ],
    };
  }

  /** Updates the copy of the member at each of its secrets that may still be valid. */
  async copies(keysGuard: Item | undefined): Promise<TransactItem[]> {
    if (!this.#isCopied || (!this.#member.before && !keysGuard)) return [];
    const own = (await this.#records.list()).filter(({ memberId }) => memberId === this.#member.id);
    const now = new Date().toISOString();
    return own.flatMap((key) =>
      secretsOf(key)
        .filter(({ until }) => until === null || until > now)
        .map(({ hash }) => this.#copy(keys.apiKey(hash), key.id)),
    );
  }

  /** Fails if a key of the member got a secret since the guard was read. The guard is read before the keys. */
  noteCopies(keysGuard: Item | undefined): TransactItem[] {
    if (!this.#isCopied) return [];
    const { ConditionExpression, ExpressionAttributeValues } = isStill('change', keysGuard?.['change']);
    return [
      {
        Update: {
          Key: keys.memberKeysOf(this.workspaceId, this.#member.id),
          UpdateExpression: 'SET #change = :new',
          ConditionExpression,
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ':new': randomUUID() },
        },
      },
    ];
  }

  /**
   * Makes concurrent removals of managers conflict, so that the last manager stays.
   * @param guard read before the members
   * @throws ChangeRefused
   */
  async managers(guard: Item | undefined): Promise<TransactItem[]> {
    const { before, after } = this.#member;
    const losesAddress = Boolean(before?.email) && after?.email === null;
    if (!isManager(before) || (isManager(after) && !losesAddress)) return [];
    const others = (await this.#records.members()).filter(({ id }) => id !== this.#member.id);
    // A manager without an address cannot sign in, so another one must be able to.
    const isLeft = others.some((other) => isManager(other) && (!isManager(after) || other.email !== null));
    if (!isLeft) throw new ChangeRefused('last_manager');
    const item = { ...keys.managers(this.workspaceId), change: randomUUID() };
    return [{ Put: { Item: item, ...isStill('change', guard?.['change']) } }];
  }

  get #isCopied(): boolean {
    return !isDeepStrictEqual(copyOf(this.#member.before), copyOf(this.#member.after));
  }

  #copy(key: Key, keyId: string): TransactItem {
    const copy = copyOf(this.#member.after);
    return {
      Update: {
        Key: { pk: key.pk, sk: key.sk },
        UpdateExpression: copy ? 'SET #member = :member' : 'REMOVE #member',
        ConditionExpression: '#keyId = :keyId AND #workspaceId = :workspaceId',
        ExpressionAttributeValues: {
          ':keyId': keyId,
          ':workspaceId': this.workspaceId,
          ...(copy && { ':member': copy }),
        },
      },
    };
  }
}

const copyOf = (member: Member | undefined) =>
  member && { active: isInEffect(member), permissions: [...member.permissions] };

/** True for a member in effect who may manage members. */
const isManager = (member: Member | undefined): boolean =>
  member !== undefined && isInEffect(member) && member.permissions.includes('access:member:manage');
