import { randomUUID } from 'node:crypto';
import { isStored } from '../dynamodb/conditions.ts';
import { isMade, itemAfter } from '../dynamodb/is-made.ts';
import type { Item, Key, Table, TransactItem, Writes } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { type DueAddress, type DueType, dueKey, dueKeys } from './keys.ts';

/** The most items of a shard that a run reads. */
const readMax = 2_000;

/** An item that a process has leased. */
export interface ClaimedWork extends Item {
  readonly leaseOwner: string;
  /** The number of attempts that have begun, this one included. */
  readonly attempts: number;
}

/** Work that was given up. */
export interface ParkedWork extends Item {
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly failure: string;
  readonly parkedAt: string;
}

/**
 * The work of all workspaces, in the order of the times at which it is due. A process leases an item while it works on
 * it. Each step is one write, so after a crash between two of them the item is due again when its lease ends. A step
 * returns false if another process has taken the item over, or the reply to its own write was lost.
 */
export class DueQueue {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The keys of a shard that are due and not leased, oldest first. */
  async due(type: DueType, shard: number, now: number): Promise<Key[]> {
    const to = new Date(now).toISOString();
    const range = { pk: dueKeys.dueWork(type, shard), to, only: ['pk', 'sk', 'leaseUntil'], atMost: readMax };
    const found = await this.#table.all(range);
    return found.filter(({ leaseUntil = 0 }) => Number(leaseUntil) < Date.now());
  }

  /**
   * Leases an item and counts the attempt.
   * @returns undefined if it is done, moved, or leased by another process
   */
  async claim(key: Key, milliseconds: number): Promise<ClaimedWork | undefined> {
    const owner = randomUUID();
    const now = Date.now();
    const update = {
      UpdateExpression: 'SET leaseOwner = :owner, leaseUntil = :until ADD attempts :one',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
      ExpressionAttributeValues: { ':owner': owner, ':until': now + milliseconds, ':one': 1, ':now': now },
    };
    // The reply to our own claim may have been lost.
    const claimed = await itemAfter(this.#table.update(key, update));
    return claimed?.['leaseOwner'] === owner ? (claimed as ClaimedWork) : undefined;
  }

  /**
   * Removes an item whose work is done, even if another process has taken it over, which would do the work again. An
   * item that was put anew in the meantime has no lease and stays.
   */
  finish({ pk, sk }: ClaimedWork): Promise<boolean> {
    const done = { Key: { pk, sk }, ConditionExpression: 'attribute_exists(leaseOwner)' };
    return isMade(repeatTransaction(this.#table, { done: { Delete: done } }));
  }

  /** Ends the lease of an item that stays where it is, so that the next run finds it. */
  release(item: ClaimedWork): Promise<boolean> {
    const update = { UpdateExpression: 'REMOVE leaseOwner, leaseUntil', ...isOwn(item) };
    return isMade(this.#table.update(item, update));
  }

  /** Moves an item to another time. */
  postpone(item: ClaimedWork, dueAt: number, failure?: string): Promise<boolean> {
    const key = dueKey({ ...dueAddress(item), dueAt });
    return this.#move(item, { ...withoutLease(item), ...key, ...(failure !== undefined && { failure }) });
  }

  /** Moves an item out of the queue, for operators. */
  park(item: ClaimedWork, failure: string): Promise<boolean> {
    const parkedAt = new Date().toISOString();
    return this.#move(item, { ...withoutLease(item), ...parkedKey(item), failure, parkedAt });
  }

  #move(item: ClaimedWork, moved: Item): Promise<boolean> {
    const remove = { Key: { pk: item.pk, sk: item.sk }, ...isOwn(item) };
    return isMade(repeatTransaction(this.#table, { left: { Delete: remove }, moved: { Put: { Item: moved } } }));
  }
}

const isOwn = ({ leaseOwner }: ClaimedWork) => ({
  ConditionExpression: 'leaseOwner = :owner',
  ExpressionAttributeValues: { ':owner': leaseOwner },
});

const withoutLease = ({ leaseOwner: _, leaseUntil: __, ...item }: ClaimedWork): Item => item as Item;

function parkedKey(item: Key): Key {
  const { type, group, id, dueAt } = dueAddress(item);
  return { pk: dueKeys.parkedWork(type), sk: `${group}#${new Date(dueAt).toISOString()}#${id}` };
}

/** The parked work of a group, oldest first. Access pattern D2. */
export async function* parkedWork(table: Table, type: DueType, group: string): AsyncGenerator<ParkedWork> {
  // No id contains the character that follows `#`.
  const range = { pk: dueKeys.parkedWork(type), from: `${group}#`, to: `${group}$` };
  for await (const item of table.query(range)) yield item as ParkedWork;
}

/** Makes parked work due now, as if it were new. @returns whether it was still parked */
export function retryParked(table: Table, parked: ParkedWork): Promise<boolean> {
  const { attempts: _, failure: __, parkedAt: ___, ...work } = parked;
  const [group = '', , id = ''] = parked.sk.split('#');
  const key = dueKey({ ...dueAddress(parked), group, id, dueAt: Date.now() });
  return takeParked(table, parked, { work: { Put: { Item: { ...work, ...key } } } });
}

/** Removes parked work for ever. @returns whether it was still parked */
export const discardParked = (table: Table, parked: ParkedWork): Promise<boolean> => takeParked(table, parked, {});

async function takeParked(table: Table, { pk, sk }: ParkedWork, writes: Writes): Promise<boolean> {
  const taken: TransactItem = { Delete: { Key: { pk, sk }, ...isStored } };
  return isMade(repeatTransaction(table, { taken, ...writes }));
}

export function dueAddress({ pk, sk }: Key): DueAddress {
  const [, type = ''] = pk.split('#');
  const [dueAt = '', group = '', id = ''] = sk.split('#');
  return { type: type as DueType, group, id, dueAt: Date.parse(dueAt) };
}
