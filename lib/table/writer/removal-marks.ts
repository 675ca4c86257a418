import { returnStoredItem } from '../dynamodb/conditions.ts';
import { ConditionFailed, Contended } from '../errors.ts';
import type { Key } from '../schema.ts';
import type { Table, TransactItem, Write } from '../table.ts';

/**
 * Kinds whose records cannot be removed while other records refer to them. A database has a mark in the head of its
 * list instead.
 */
export type ParentKind = 'menuCategory' | 'form' | 'channel' | 'customer';

export interface Parent {
  readonly kind: ParentKind;
  readonly id: string;
}

/** Access pattern W6. */
const markKey = (workspaceId: string, kind: ParentKind, id: string, shard: number): Key => ({
  pk: `W#${workspaceId}#removals#${kind}#${id}`,
  sk: String(shard),
});

/**
 * Transactions that check the same item conflict. So a mark is stored several times, and each writer checks one copy.
 */
const shards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** Longer than any request takes from reading a parent to writing a child. */
const markSeconds = 60;

const isFree = () => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl < :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': now() },
});

const now = (): number => Math.floor(Date.now() / 1_000);

/** Checks in the transaction of a child that its parent is not being removed. */
export const parentExistsCheck =
  ({ name: TableName }: Table, workspaceId: string, { kind, id }: Parent): Write =>
  () => ({
    ConditionCheck: {
      TableName,
      Key: markKey(workspaceId, kind, id, Math.floor(Math.random() * shards.length)),
      ...isFree(),
    },
  });

/**
 * Tries once to block new children of the parent, so that a later look-up finds all of them. The marks expire. They
 * outlast the removal, for writers that read the parent before it.
 * @param by identifies the removal, so that a retry finds its own marks
 * @returns false while another removal has marks, or while a new child is being stored
 */
export async function markRemoval(table: Table, workspaceId: string, parent: Parent, by: string): Promise<boolean> {
  const { kind, id } = parent;
  const ttl = now() + markSeconds;
  const marks = shards.map((shard) => ({
    Put: {
      TableName: table.name,
      Item: { ...markKey(workspaceId, kind, id, shard), ttl, by },
      ...isFree(),
      ...returnStoredItem,
    },
  }));
  try {
    await table.transact({ marks }, 1);
    return true;
  } catch (error) {
    if (error instanceof Contended) return false;
    if (!(error instanceof ConditionFailed)) throw error;
    // The SDK may have repeated this transaction after a lost reply.
    return error.item?.['by'] === by;
  }
}

/** Removes the marks, because the parent stays or was created again. */
export const unmarkRemoval = ({ name: TableName }: Table, workspaceId: string, { kind, id }: Parent): TransactItem[] =>
  shards.map((shard) => ({ Delete: { TableName, Key: markKey(workspaceId, kind, id, shard) } }));

/** Whether a parent has a mark: it is being removed, or was removed recently. */
export const isMarked = async (table: Table, workspaceId: string, { kind, id }: Parent): Promise<boolean> =>
  (await table.get(markKey(workspaceId, kind, id, shards[0]))) !== undefined;
