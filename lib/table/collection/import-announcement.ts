import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import {
  announcementsOf,
  announcesRows,
  type CollectionHead,
  type CollectionScope,
  expiredAnnouncements,
  headKey,
} from './head.ts';
import { readLog } from './log.ts';

/** Longer than a request in progress needs to commit or to give up. */
const waitMillisecondsMax = 5_000;

/**
 * An import's announcement in the head of a collection. It does not expire: until this import, or a later one, has
 * finished, no version of the collection is valid.
 */
export class ImportAnnouncement {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  readonly #id = randomUUID();
  /** Whether a previous import was interrupted. */
  foundUnfinished = false;
  /** Whether this import, or a previous one, has not finished. */
  isUnfinished = false;
  #isAnnounced = false;

  constructor(table: Table, scope: CollectionScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /** Reads the head. Call this first. */
  async open(): Promise<CollectionHead | undefined> {
    const head = (await this.#table.uncached().get(headKey(this.#scope))) as (Item & CollectionHead) | undefined;
    this.foundUnfinished = head?.import !== undefined;
    this.isUnfinished = this.foundUnfinished;
    return head;
  }

  /**
   * Announces the import before its first write, and waits for earlier changes of rows, at most five seconds. Later
   * changes of rows are refused.
   * @returns whether this call announced it
   */
  async announce(): Promise<boolean> {
    if (this.#isAnnounced) return false;
    this.#isAnnounced = true;
    this.isUnfinished = true;
    const head = (await this.#table.update(headKey(this.#scope), {
      UpdateExpression: 'SET #import = :id, #born = if_not_exists(#born, :id)',
      ExpressionAttributeNames: { '#import': 'import', '#born': 'born' },
      ExpressionAttributeValues: { ':id': this.#id },
    })) as Item & CollectionHead;
    await changesDone(this.#table, this.#scope, head, waitMillisecondsMax);
    return true;
  }

  /** Ends the announcement, so that versions are valid again. */
  async finish(): Promise<void> {
    await this.#table.update(headKey(this.#scope), {
      UpdateExpression: 'ADD #version :one REMOVE #import',
      ExpressionAttributeNames: { '#import': 'import', '#version': 'version' },
      ExpressionAttributeValues: { ':one': 1 },
      ReturnValues: 'NONE',
    });
    this.isUnfinished = false;
  }
}

/**
 * Waits until the changes of rows that a head announces are settled or withdrawn.
 * @returns whether all are
 */
export async function changesDone(
  table: Table,
  scope: CollectionScope,
  head: CollectionHead,
  millisecondsMax: number,
): Promise<boolean> {
  const expired = new Set(expiredAnnouncements(head));
  let left = announcementsOf(head).filter((name) => announcesRows(name) && !expired.has(name));
  const endsAt = performance.now() + millisecondsMax;
  while (left.length > 0 && performance.now() < endsAt) {
    await pause(50);
    const now = await table.uncached().get(headKey(scope));
    left = left.filter((name) => now?.[name] !== undefined);
  }
  return left.length === 0;
}

/** Removes the parts of a collection that its directory does not name. Only for an import, which is the only writer. */
export async function removeOtherParts(
  table: Table,
  { workspaceId, collection }: CollectionScope,
  partIds: Iterable<string>,
): Promise<void> {
  const kept = new Set([...partIds].map((partId) => keys.indexPart(workspaceId, collection, partId).sk));
  const range = { pk: keys.index(workspaceId, collection), from: 'PART#', to: 'PART#~', only: ['pk', 'sk'] };
  const removed: { readonly remove: Key }[] = [];
  for await (const item of table.query(range)) if (!kept.has(item.sk)) removed.push({ remove: item });
  await table.write(removed);
}

/** Removes a collection as a whole. Only for an import, which is the only writer. */
export async function removeCollection(table: Table, scope: CollectionScope): Promise<void> {
  await table.write([{ remove: headKey(scope) }]);
  await removeOtherParts(table, scope, []);
  const log = await readLog(table, scope);
  await table.write(log.map(({ pk, sk }) => ({ remove: { pk, sk } })));
}
