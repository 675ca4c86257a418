import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { Item, Key } from '../schema.ts';
import { type Connection, send } from './send.ts';

export type BatchWrite = { readonly put: Item } | { readonly remove: Key };

const changesPerCallMax = 25;
const parallelCalls = 4;
const roundsWithoutProgressMax = 10;

/** Writes all changes in batches. It returns when all are stored. */
export async function writeAll(connection: Connection, changes: readonly BatchWrite[]): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < changes.length) {
      const start = next;
      next += changesPerCallMax;
      await writeBatch(connection, changes.slice(start, start + changesPerCallMax));
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, lane));
}

async function writeBatch(connection: Connection, changes: readonly BatchWrite[]): Promise<void> {
  let left = changes.map(request);
  for (let stalled = 0; left.length > 0; ) {
    const answer = await send(connection, 'BatchWriteItem', {
      RequestItems: { [connection.name]: left },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const unprocessed = (answer.UnprocessedItems?.[connection.name] ?? []) as typeof left;
    stalled = unprocessed.length < left.length ? 0 : stalled + 1;
    if (stalled === roundsWithoutProgressMax) throw new Unavailable('Writes stayed unprocessed.');
    left = unprocessed;
    if (left.length > 0) {
      await pause(Math.random() * 50 * 2 ** stalled, undefined, { signal: connection.signal }).catch((cause) => {
        throw new Unavailable('Writes stayed unprocessed until the deadline.', { cause });
      });
    }
  }
}

const request = (change: BatchWrite) =>
  'put' in change
    ? { PutRequest: { Item: change.put } }
    : { DeleteRequest: { Key: { pk: change.remove.pk, sk: change.remove.sk } } };
