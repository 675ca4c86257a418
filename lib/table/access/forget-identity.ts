import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Key } from '../schema.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
import { signInKeys } from './sign-in-keys.ts';

interface Invited {
  readonly id: string;
  /** The address as `memberAddress` spells it. */
  readonly address: string;
}

/** The member no longer has the address, or another member of the workspace has it. */
export class AddressMoved extends Error {
  override readonly name = 'AddressMoved';
}

/**
 * Unbinds a member from an identity and ends the member's sessions. The next sign-in with the member's address binds
 * the member again (lib/spec/additions.md section 6). It also writes the pointer from the address to the member, which
 * members stored by an earlier version lack.
 * @param extra further writes of the transaction, such as an audit event
 * @throws AddressMoved, Unavailable
 */
export async function forgetIdentity(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { id, address }: Invited,
  extra: Writes = {},
): Promise<void> {
  const key = keys.record(workspaceId, 'member', id);
  await repeatWrite<Writes, 'stored'>(table, {
    prepare: async () => {
      const item = await table.uncached().get(key);
      if (!item || memberAddress(recordOf<Member>(item).email) !== address) throw new AddressMoved();
      return {
        ...extra,
        member: forgetting(key, item['record']),
        address: addressPointer(keys.slug(workspaceId, 'member', address), id, isFreeOrOwn),
        membership: addressPointer(signInKeys.membership(address, workspaceId), id),
      };
    },
    write: async (writes) => {
      try {
        return (await tryTransaction(table, writes)) ?? 'stored';
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.write === 'address') throw new AddressMoved();
        if (error.write !== 'member') throw error;
        return 'changed';
      }
    },
  });
}

/** Its condition: the member has not changed since it was read. */
const forgetting = (Key: Key, record: unknown): TransactItem => ({
  Update: {
    Key,
    UpdateExpression: 'REMOVE #identity, #epoch',
    ConditionExpression: '#record = :record',
    ExpressionAttributeNames: { '#identity': 'identity', '#epoch': 'epoch', '#record': 'record' },
    ExpressionAttributeValues: { ':record': record },
  },
});

const isFreeOrOwn = { ConditionExpression: 'attribute_not_exists(#id) OR #id = :id' };

/** The pointer from an address to its member. */
const addressPointer = (Key: Key, id: string, condition = {}): TransactItem => ({
  Update: {
    Key,
    ...condition,
    UpdateExpression: 'SET #id = :id',
    ExpressionAttributeNames: { '#id': 'id' },
    ExpressionAttributeValues: { ':id': id },
  },
});
