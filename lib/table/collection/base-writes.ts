import { isObject } from '#lib/domain/input.ts';
import { setting } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { importMark, newChangeId } from '../log/change-log.ts';
import type { TransactItem } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey } from './head.ts';

/**
 * Gives the head another base, on condition that the previous base is still current. `epochWrite`, or a new schema,
 * belongs to the same transaction.
 */
export function headWrite(
  scope: CollectionScope,
  before: CollectionHead | undefined,
  fields: Readonly<Record<string, string | number>>,
): TransactItem {
  const isSame =
    before?.base === undefined
      ? { ConditionExpression: 'attribute_not_exists(#base)' }
      : { ConditionExpression: '#base = :before', ExpressionAttributeValues: { ':before': before.base } };
  return { Update: { Key: headKey(scope), ...setting({ foldedAt: 0, ...fields, since: Date.now() }, isSame) } };
}

/** The mark of a collection as it was read; `id` is undefined without one. */
export interface SeenMark {
  readonly collection: string;
  readonly id: unknown;
}

/**
 * Tells all readers that a base has changed, in the transaction of its head.
 * @param seen the transaction fails if an import has marked the collection since then
 */
export const epochWrite = (workspaceId: string, seen?: SeenMark): TransactItem => ({
  Update: {
    Key: keys.logState(workspaceId),
    UpdateExpression: 'SET #epoch = :id',
    ...(seen && { ExpressionAttributeNames: { '#mark': importMark(seen.collection) } }),
    ExpressionAttributeValues: { ':id': newChangeId(), ...(seen?.id !== undefined && { ':seen': seen.id }) },
    ...(seen && { ConditionExpression: seen.id === undefined ? 'attribute_not_exists(#mark)' : '#mark = :seen' }),
  },
});

/** The ids of the parts that a directory names, wherever it names them. */
export function partIdsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return isObject(content) ? Object.values(content).flatMap(partIdsIn) : [];
  const [partId, count] = content;
  return typeof partId === 'string' && typeof count === 'number' ? [partId] : content.flatMap(partIdsIn);
}
