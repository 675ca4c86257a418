import { removeAll, removeWhere } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { importMark, isImporting, type LogState, newChangeId } from '../log/change-log.ts';
import { readLog } from '../log/read-log.ts';
import type { Item, Table } from '../table.ts';
import { partIdsIn } from './base-writes.ts';
import { type CollectionHead, type CollectionScope, headKey } from './head.ts';
import { type NextBase, swapBase } from './swap-base.ts';

/**
 * An import's mark of a collection, in the state beside the log. It does not expire: until this import, or a later one,
 * has finished, no state of the collection is exact.
 */
export class ImportAnnouncement {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  /** Whether a previous import was interrupted. */
  foundUnfinished = false;
  #isAnnounced = false;

  constructor(table: Table, scope: CollectionScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /** Whether this import, or a previous one, has marked the collection. */
  get isUnfinished(): boolean {
    return this.foundUnfinished || this.#isAnnounced;
  }

  /** Reads the head and the mark. Call this first. */
  async open(): Promise<CollectionHead | undefined> {
    const reads = this.#table.uncached();
    const [head, { state }] = await Promise.all([reads.get(headKey(this.#scope)), readLog(reads, this.#scope)]);
    this.foundUnfinished = isImporting(state, this.#scope.collection);
    return head as (Item & CollectionHead) | undefined;
  }

  /** Marks the collection before the first write. @returns whether this call has marked it */
  async announce(): Promise<boolean> {
    if (this.#isAnnounced) return false;
    this.#isAnnounced = true;
    await this.#mark(true);
    return true;
  }

  /** Ends the mark, so that states are exact again. */
  finish = (): Promise<unknown> => this.#mark(false);

  /**
   * Makes rows the base of the collection, and removes all other parts of it: the import is the only writer.
   * @param before the head from which the rows were made
   */
  async swapBase(before: CollectionHead | undefined, next: NextBase): Promise<void> {
    const directory = await swapBase({ table: this.#table, scope: this.#scope, before, ...next });
    await this.#removeOtherParts([...partIdsIn(next.content), directory]);
  }

  async removeCollection(): Promise<void> {
    await removeAll(this.#table, [headKey(this.#scope)]);
    await this.#removeOtherParts([]);
  }

  async #removeOtherParts(partIds: readonly string[]): Promise<void> {
    const { workspaceId, collection } = this.#scope;
    const kept = new Set(partIds.map((partId) => keys.indexPart(workspaceId, collection, partId).sk));
    const range = { pk: keys.index(workspaceId, collection), from: 'PART#', to: 'PART#~', only: ['pk', 'sk'] };
    await removeWhere(this.#table, range, ({ sk }) => !kept.has(sk));
  }

  #mark = (isBegun: boolean): Promise<unknown> =>
    this.#table.update(keys.logState(this.#scope.workspaceId), {
      ...importMarkUpdate(this.#scope.collection, isBegun),
      ReturnValues: 'NONE',
    });
}

/** The collections that an import is writing, or that an interrupted one has left. */
export const importedCollections = (state: LogState): string[] =>
  Object.keys(state)
    .filter((name) => name.startsWith(importMark('')))
    .map((name) => name.slice(importMark('').length));

/** Marks that an import begins or ends to write to a collection. */
export const importMarkUpdate = (collection: string, isBegun: boolean) => ({
  UpdateExpression: isBegun ? 'SET #imported = :id, #mark = :id' : 'SET #imported = :id, #epoch = :id REMOVE #mark',
  ExpressionAttributeNames: { '#mark': importMark(collection) },
  ExpressionAttributeValues: { ':id': newChangeId() },
});
