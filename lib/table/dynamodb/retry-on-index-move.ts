import { setTimeout as pause } from 'node:timers/promises';
import { StaleRead } from '../collection/parts.ts';
import { Unavailable } from '../errors.ts';
import type { Table } from '../table.ts';

const triesMax = 5;

/**
 * Reads an index and its items. If an import replaces the index in between, the read is repeated on the new index.
 * @throws Unavailable after five tries, and the errors of `read` but StaleRead
 */
export async function repeatStaleRead<Result>(table: Table, read: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      table.clearCache();
      await pause(Math.random() * 20 * 2 ** tries);
    }
  }
  throw new Unavailable('The index and the items do not agree.');
}
