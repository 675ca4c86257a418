import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { type Connection, send } from './client.ts';

const changesPerCallMax = 25;
const parallelCalls = 4;
const roundsWithoutProgressMax = 10;

/** Puts items in batches, in no order and not atomically. It returns when all are stored. */
export const putAll = (table: Table, items: readonly Item[]): Promise<void> =>
  writeAll(
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

/** The same for removals. */
export const removeAll = (table: Table, keys: readonly Key[]): Promise<void> =>
  writeAll(
    table,
    keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );

/** Removes the items of a range that match. @param matches by default all of them do */
export async function removeWhere(
  table: Table,
  range: Parameters<Table['query']>[0],
  matches: (item: Item) => boolean = () => true,
): Promise<void> {
  const removed: Key[] = [];
  for await (const item of table.query(range)) if (matches(item)) removed.push({ pk: item.pk, sk: item.sk });
  await removeAll(table, removed);
}

type Request = { readonly PutRequest: { readonly Item: Item } } | { readonly DeleteRequest: { readonly Key: Key } };

async function writeAll({ connection }: Table, requests: readonly Request[]): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < requests.length) {
      const start = next;
      next += changesPerCallMax;
      await writeBatch(connection, requests.slice(start, start + changesPerCallMax));
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, lane));
}

async function writeBatch(connection: Connection, requests: Request[]): Promise<void> {
  let left = requests;
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
