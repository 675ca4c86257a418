import type { ClaimedWork } from '#lib/table/due/due-queue.ts';
import { dueAddress } from '#lib/table/due/due-queue.ts';
import { type DueType, dueKey, dueKeys, dueShards } from '#lib/table/due/keys.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import type { Item } from '#lib/table/schema.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { testTable } from './world.ts';

/** The due work of the whole table. */
export async function dueItems(type: DueType): Promise<(Item & Partial<ClaimedWork>)[]> {
  const shards = dueShards.map((shard) => Array.fromAsync(testTable().query({ pk: dueKeys.dueWork(type, shard) })));
  return (await Promise.all(shards)).flat() as (Item & Partial<ClaimedWork>)[];
}

/** The parked work of the whole table. */
export const parkedItems = (type: DueType): Promise<Item[]> =>
  Array.fromAsync(testTable().query({ pk: dueKeys.parkedWork(type) }));

/** Moves the clock until all work is due and no lease is valid. */
export async function advanceUntilDue(type: DueType): Promise<void> {
  for (const { leaseOwner, leaseUntil, ...item } of await dueItems(type)) {
    const address = dueAddress(item);
    const isDue = address.dueAt < Date.now();
    if (isDue && leaseUntil === undefined) continue;
    const key = isDue ? {} : dueKey({ ...address, dueAt: Date.now() - 1 });
    const moved = { ...item, ...key, ...(leaseOwner !== undefined && { leaseOwner, leaseUntil: 1 }) };
    const remove = { Key: { pk: item.pk, sk: item.sk }, ConditionExpression: 'attribute_exists(pk)' };
    const writes = isDue ? { moved: { Put: { Item: moved, ConditionExpression: 'attribute_exists(pk)' } } } : undefined;
    // Calls of a killed process may still reach the table and complete the work.
    await repeatTransaction(testTable(), writes ?? { left: { Delete: remove }, moved: { Put: { Item: moved } } }).catch(
      (error) => {
        if (!(error instanceof ConditionFailed)) throw error;
      },
    );
  }
}
