import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey, newChangeId, timeOf } from './head.ts';
import { changesDone } from './import-announcement.ts';

/** No request lasts this long, so an older removal has died or was given up. */
const removalMillisecondsMax = 60_000;
/** Earlier changes usually take milliseconds. */
const waitMillisecondsMax = 1_500;

/** Whether the collection is being removed, so that no record may be added. */
export const isBeingRemoved = ({ removing }: CollectionHead): boolean =>
  removing !== undefined && timeOf(removing) > Date.now() - removalMillisecondsMax;

/**
 * Removes an empty collection. After `begin` no writer adds a record: each one announces itself first, and then sees
 * the removal. The mark stays after the removal, for writers that read the database before.
 */
export class CollectionRemoval {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  readonly #id = newChangeId();

  constructor(table: Table, scope: CollectionScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /**
   * Marks the collection and waits for earlier changes.
   * @throws Unavailable if one of them does not end
   */
  async begin(): Promise<void> {
    const head = (await this.#table.update(headKey(this.#scope), {
      UpdateExpression: 'SET #removing = :id, #born = if_not_exists(#born, :id)',
      ExpressionAttributeNames: { '#removing': 'removing', '#born': 'born' },
      ExpressionAttributeValues: { ':id': this.#id },
    })) as Item & CollectionHead;
    if (await changesDone(this.#table, this.#scope, head, waitMillisecondsMax)) return;
    await this.withdraw();
    throw new Unavailable('A change of the collection has not ended yet.');
  }

  /** Checks in the transaction that removes the collection that this removal still holds. */
  check = (): TransactItem => ({
    ConditionCheck: {
      Key: headKey(this.#scope),
      ...isStill('removing', this.#id),
    },
  });

  /** Gives the removal up, so that the collection stays. */
  async withdraw(): Promise<void> {
    const { ConditionExpression, ...rest } = isStill('removing', this.#id);
    const update = { UpdateExpression: 'REMOVE #attribute', ConditionExpression, ...rest };
    await this.#table.update(headKey(this.#scope), { ...update, ReturnValues: 'NONE' }).catch(unlessOther);
  }
}

/** Removes the mark of a removal, so that the collection accepts records again. */
export const cancelRemovalWrite = (scope: CollectionScope): TransactItem => ({
  Update: {
    Key: headKey(scope),
    UpdateExpression: 'REMOVE #removing',
    ExpressionAttributeNames: { '#removing': 'removing' },
  },
});

const unlessOther = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};
