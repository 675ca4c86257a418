import { isStored, setting } from './dynamodb/conditions.ts';
import { isMade } from './dynamodb/is-made.ts';
import type { Key, Table } from './table.ts';

/**
 * Gives an announced file up, so that it can no longer be stored.
 * @returns false if it is not announced any more: it is stored or removed
 */
export const giveUp = (table: Table, key: Key): Promise<boolean> =>
  isMade(table.update(key, setting({ givenUp: true }, isStored)));
