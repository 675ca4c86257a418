import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isStill, setting } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { recordOf, type Table, type WorkspaceScope, type Writes } from '../table.ts';
import { repeatWrite, tryChange } from '../writer/repeat-write.ts';

interface Invited {
  readonly id: string;
  /** The address as `memberAddress` spells it. */
  readonly address: string;
}

/** The member no longer has the address, or the address leads to another member of the workspace. */
export const isAddressMoved = (error: unknown): boolean =>
  error instanceof ConditionFailed && error.write === 'address';

/**
 * Unbinds a member from an identity and ends the member's sessions. The next sign-in with the member's address binds
 * the member again (lib/spec/additions.md section 6).
 * @param additionalWrites further writes of the transaction, such as an audit event
 * @throws Unavailable; an error of `isAddressMoved`
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
      if (!item || memberAddress(recordOf<Member>(item).email) !== address) throw new ConditionFailed(item, 'address');
      const pointer = keys.slug(workspaceId, 'member', address);
      return {
        ...additionalWrites,
        member: {
          Update: {
            Key: key,
            ...setting({ identity: undefined, epoch: undefined }, isStill('record', item['record'])),
          },
        },
        address: { ConditionCheck: { Key: pointer, ...isStill('id', id) } },
      };
    },
    write: async (writes) => (await tryChange(table, writes, ['member'])) ?? 'stored',
  });
}
