import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { type Key, recordOf, type Table, type TransactItem, type WorkspaceScope, type Writes } from '../table.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';

interface Invited {
  readonly id: string;
  /** The address as `memberAddress` spells it. */
  readonly address: string;
}

/** The member no longer has the address, or the address leads to another member of the workspace. */
export class AddressMoved extends Error {
  override readonly name = 'AddressMoved';
}

/**
 * Unbinds a member from an identity and ends the member's sessions. The next sign-in with the member's address binds
 * the member again (lib/spec/additions.md section 6).
 * @param additionalWrites further writes of the transaction, such as an audit event
 * @throws AddressMoved, Unavailable
 */
export async function forgetIdentity(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { id, address }: Invited,
  additionalWrites: Writes = {},
): Promise<void> {
  const key = keys.record(workspaceId, 'member', id);
  await repeatWrite<Writes, 'stored'>(table, {
    prepare: async () => {
      const item = await table.uncached().get(key);
      if (!item || memberAddress(recordOf<Member>(item).email) !== address) throw new AddressMoved();
      const pointer = keys.slug(workspaceId, 'member', address);
      return {
        ...additionalWrites,
        member: forgetting(key, item['record']),
        address: { ConditionCheck: { Key: pointer, ...isStill('id', id) } },
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
    ExpressionAttributeValues: { ':record': record },
  },
});
