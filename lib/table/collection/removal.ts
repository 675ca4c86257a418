import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import type { Item } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey, newChangeId, timeOf } from './head.ts';
import { changesDone } from './import-announcement.ts';

/** No request lasts that long, so the remover has died or given up. */
const removalMillisecondsMax = 60_000;
/** Changes that were announced before take milliseconds. */
const waitMillisecondsMax = 1_500;

/** Whether the collection is being removed, so that nothing may be added. */
export const isBeingRemoved = ({ removing }: CollectionHead): boolean =>
  removing !== undefined && timeOf(removing) > Date.now() - removalMillisecondsMax;

/**
 * The removal of an empty collection. After `begin` no writer adds a record: writers announce themselves first, and
 * then see the removal. The mark stays for writers that read the database earlier.
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

  /** A check for the transaction that removes the collection: this removal is still valid. */
  check = (): TransactItem => ({
    ConditionCheck: {
      TableName: this.#table.name,
      Key: headKey(this.#scope),
      ...isStill('removing', this.#id),
    },
  });

  /** Ends the removal; the collection stays. */
  async withdraw(): Promise<void> {
    const { ConditionExpression, ...rest } = isStill('removing', this.#id);
    const update = { UpdateExpression: 'REMOVE #attribute', ConditionExpression, ...rest };
    await this.#table.update(headKey(this.#scope), { ...update, ReturnValues: 'NONE' }).catch(unlessOther);
  }
}

/** Lets a recently removed collection accept records again. */
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
