import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { Item, Key } from '../schema.ts';
import { type Connection, send } from './client.ts';

interface PendingRead extends PromiseWithResolvers<Item | undefined> {
  readonly key: Key;
}

const keysPerCallMax = 100;
const roundsWithoutProgressMax = 5;

/**
 * Collects the reads of one turn of the event loop into as few BatchGetItem calls as possible. So independent reads
 * take one round trip. It caches the results for the request.
 */
export class BatchedReads {
  /** Also for calls that are no methods of the table: transactions and batches of writes. */
  readonly connection: Connection;
  readonly #answers: Map<string, Promise<Item | undefined>>;
  readonly #pending: Map<string, PendingRead>;

  /** @param sharing has the same cache */
  constructor(connection: Connection, sharing?: BatchedReads) {
    this.connection = connection;
    this.#answers = sharing ? sharing.#answers : new Map();
    this.#pending = sharing ? sharing.#pending : new Map();
  }

  /** Whether this request has read the item, or has started to. */
  hasRead(key: Key): boolean {
    return this.#answers.has(addressOf(key));
  }

  get(key: Key): Promise<Item | undefined> {
    const { pk, sk } = key;
    const address = addressOf(key);
    const cached = this.#answers.get(address);
    if (cached) return cached;
    // Waits for promises that are already resolved, so that their reads join this batch.
    if (this.#pending.size === 0) Promise.resolve().then(() => process.nextTick(() => this.#flush()));
    // A key may be requested, forgotten and requested again before the call, which may name it only once.
    const read = this.#pending.get(address) ?? { key: { pk, sk }, ...Promise.withResolvers<Item | undefined>() };
    this.#pending.set(address, read);
    this.#answers.set(address, read.promise);
    return read.promise;
  }

  /** Caches an item that a range has read, or that a new key has none, so that the next `get` needs no read. */
  prime(key: Key, item: Item | undefined): void {
    this.#answers.set(addressOf(key), Promise.resolve(item));
  }

  clearCache(): void {
    this.#answers.clear();
  }

  /** Makes the next `get` of this key a new read. */
  evict(key: Key): void {
    this.#answers.delete(addressOf(key));
  }

  #flush(): void {
    const reads = [...this.#pending.values()];
    this.#pending.clear();
    for (let start = 0; start < reads.length; start += keysPerCallMax) {
      const chunk = reads.slice(start, start + keysPerCallMax);
      this.#read(chunk.map(({ key }) => key)).then(
        (items) => {
          for (const { key, resolve } of chunk) resolve(items.get(addressOf(key)));
        },
        (error) => {
          for (const { reject } of chunk) reject(error);
        },
      );
    }
  }

  async #read(keys: readonly Key[]): Promise<Map<string, Item>> {
    const { name, signal } = this.connection;
    const items = new Map<string, Item>();
    let left = [...keys];
    for (let stalled = 0; left.length > 0; ) {
      const answer = await send(this.connection, 'BatchGetItem', {
        RequestItems: { [name]: { Keys: left, ConsistentRead: true } },
        ReturnConsumedCapacity: 'TOTAL',
      });
      for (const item of (answer.Responses?.[name] ?? []) as Item[]) items.set(addressOf(item), item);
      const unprocessed = (answer.UnprocessedKeys?.[name]?.Keys ?? []) as Key[];
      stalled = unprocessed.length < left.length ? 0 : stalled + 1;
      if (stalled === roundsWithoutProgressMax) throw new Unavailable('Reads stayed unprocessed.');
      left = unprocessed;
      if (left.length > 0) {
        await pause(Math.random() * 20 * 2 ** stalled, undefined, { signal }).catch((cause) => {
          throw new Unavailable('Reads stayed unprocessed until the deadline.', { cause });
        });
      }
    }
    return items;
  }
}

const addressOf = ({ pk, sk }: Key): string => `${pk}\u0000${sk}`;
