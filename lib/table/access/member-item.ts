import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import type { Condition } from '../dynamodb/conditions.ts';
import type { Key } from '../schema.ts';
import type { TransactItem } from '../table.ts';

/**
 * The attributes that a write of the record removes: a new address ends sessions and identity; deactivation ends
 * sessions.
 */
const removedAttributes = (before: Member | undefined, after: Member): string[] => {
  const isMoved = before !== undefined && memberAddress(before.email) !== memberAddress(after.email);
  return [...(isMoved ? ['identity'] : []), ...(isMoved || !after.active ? ['epoch'] : [])];
};

/** The write of a member's record. @param marks other attributes; those that are undefined are removed */
export function writeOfMember(
  { pk, sk }: Key,
  { before, after }: { readonly before: Member | undefined; readonly after: Member },
  marks: Readonly<Record<string, string | undefined>>,
  condition?: Condition,
): TransactItem {
  const set = Object.entries({ record: JSON.stringify(after), ...marks }).filter(([, value]) => value !== undefined);
  const removed = [
    ...Object.keys(marks).filter((name) => marks[name] === undefined),
    ...removedAttributes(before, after),
  ];
  const removal = removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : '';
  return {
    Update: {
      Key: { pk, sk },
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
      ...condition,
      ExpressionAttributeValues: {
        ...condition?.ExpressionAttributeValues,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}
