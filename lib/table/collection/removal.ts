import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey, newChangeId, timeOf } from './head.ts';
import { changesDone } from './import-announcement.ts';

/** No request lives that long: the one that wanted to remove the collection has died or given up. */
const removalMillisecondsMax = 60_000;
/** Changes that were announced before take milliseconds. */
const waitMillisecondsMax = 1_500;

/** Whether a head says that the collection goes: nothing may be added to it. */
export const isBeingRemoved = ({ removing }: CollectionHead): boolean =>
  removing !== undefined && timeOf(removing) > Date.now() - removalMillisecondsMax;

/**
 * The removal of an empty collection. From `begin` on nobody adds a record: writers announce themselves before they
 * write, and then see that the collection goes. The mark stays behind for those that have read its database before.
 */
export class CollectionRemoval {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  readonly #id = newChangeId();

  constructor(table: Table, scope: CollectionScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /** @throws Unavailable when a change that was announced before does not end */
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

  /** Part of the transaction that removes the collection: no other change has ended this removal. */
  check = (): TransactItem => ({
    ConditionCheck: {
      TableName: this.#table.name,
      Key: headKey(this.#scope),
      ...isStill('removing', this.#id),
    },
  });

  /** The collection stays. */
  async withdraw(): Promise<void> {
    const { ConditionExpression, ...rest } = isStill('removing', this.#id);
    const update = { UpdateExpression: 'REMOVE #attribute', ConditionExpression, ...rest };
    await this.#table.update(headKey(this.#scope), { ...update, ReturnValues: 'NONE' }).catch(unlessOther);
  }
}

/** Makes a collection take records again that was removed a short time ago. */
export const cancelRemovalWrite = ({ name: TableName }: Table, scope: CollectionScope): TransactItem => ({
  Update: {
    TableName,
    Key: headKey(scope),
    UpdateExpression: 'REMOVE #removing',
    ExpressionAttributeNames: { '#removing': 'removing' },
  },
});

const unlessOther = (error: unknown): void => {
  if (!(error instanceof ConditionFailed)) throw error;
};
