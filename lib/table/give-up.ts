import { isMade } from './dynamodb/is-made.ts';
import type { Key, Table } from './table.ts';

/**
 * Gives an announced file up, so that it can no longer be stored.
 * @returns false if it is not announced any more: it is stored or removed
 */
export const giveUp = (table: Table, { pk, sk }: Key): Promise<boolean> => {
  const update = {
    UpdateExpression: 'SET givenUp = :true',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':true': true },
  };
  return isMade(table.update({ pk, sk }, update));
};
