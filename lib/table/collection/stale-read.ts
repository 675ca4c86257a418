import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { Table } from '../table.ts';

/**
 * A part that the head names, or an item that a row names, no longer exists or differs. Another writer has replaced it
 * since the head was read, so the read must begin again.
 */
export class StaleRead extends Error {
  override readonly name = 'StaleRead';
}

const triesMax = 5;
/** While an import writes, an item can stay newer than its row. */
const strictTries = 3;

/**
 * Reads an index and its items. If an import replaces the index in between, the read is repeated on the new index.
 * @param read a strict one throws StaleRead for an item that differs from its row. The last tries are not strict
 * @throws Unavailable after five tries, and the errors of `read` but StaleRead
 */
export async function repeatStaleRead<Result>(
  table: Table,
  read: (isStrict: boolean) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      return await read(tries < strictTries);
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      table.clearCache();
      await pause(Math.random() * 20 * 2 ** tries);
    }
  }
  throw new Unavailable('The index and the items do not agree.');
}
