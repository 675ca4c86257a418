import { ConditionFailed } from './errors.ts';
import type { Key } from './schema.ts';
import type { Table } from './table.ts';

/**
 * Gives an announced file up, so that it can no longer be stored. @returns false if it is not announced any more: it is
 * stored or removed
 */
export async function giveUp(table: Table, { pk, sk }: Key): Promise<boolean> {
  try {
    const update = {
      UpdateExpression: 'SET givenUp = :true',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':true': true },
    };
    await table.update({ pk, sk }, update);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
