import { randomUUID } from 'node:crypto';
import { headKey, type IndexHead, type IndexScope, type PartItem, readHead } from '../collection-index.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Key } from '../schema.ts';
import type { Table } from '../table.ts';

/**
 * Replaces the index of a collection in one step (X1). Before the first change a mark says that an import is under
 * way; whoever finds it later knows that items may be there that no index names.
 */
export class IndexWriter {
  readonly #table: Table;
  readonly #scope: IndexScope;
  #head: IndexHead | undefined;
  readonly #stored = new Set<string>();
  unfinished = false;
  foundUnfinished = false;

  constructor(table: Table, scope: IndexScope) {
    this.#table = table;
    this.#scope = scope;
  }

  /** @returns the head as it is now */
  async open(): Promise<IndexHead | undefined> {
    const table = this.#table.fresh();
    this.foundUnfinished = (await table.get(this.#mark)) !== undefined;
    this.unfinished = this.foundUnfinished;
    this.#head = await readHead(table, this.#scope);
    return this.#head;
  }

  /** Parts that are stored already are not written again. */
  knowParts(partIds: Iterable<string>): void {
    for (const partId of partIds) this.#stored.add(partId);
  }

  async markUnfinished(): Promise<void> {
    if (this.unfinished) return;
    await this.#table.put({ ...this.#mark });
    this.unfinished = true;
  }

  /**
   * New parts first, then the head: from one request to the next, readers see all of it.
   * @param fields what the head says of the parts
   * @throws ConditionFailed
   */
  async replace(parts: readonly PartItem[], fields: Omit<IndexHead, 'version'>): Promise<void> {
    const fresh = new Map(parts.filter(({ partId }) => !this.#stored.has(partId)).map((part) => [part.partId, part]));
    await this.#table.write([...fresh.values()].map((part) => ({ put: part })));
    await this.#moveHead({ ...headKey(this.#scope), version: randomUUID(), ...fields });
    await this.#removeParts(new Set(parts.map(({ partId }) => partId)));
  }

  async #moveHead(head: IndexHead & Key): Promise<void> {
    const unchanged = this.#head
      ? {
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': this.#head.version },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' };
    try {
      await this.#table.put({ ...head }, unchanged);
    } catch (error) {
      // The SDK repeats a put whose answer was lost; then it meets its own.
      if (!(error instanceof ConditionFailed) || error.item?.['version'] !== head.version) throw error;
    }
  }

  /** Everything is as the head says. */
  async finish(): Promise<void> {
    await this.#table.write([{ remove: this.#mark }]);
    this.unfinished = false;
  }

  /** For a collection that is no more. */
  async remove(): Promise<void> {
    await this.#table.write([{ remove: headKey(this.#scope) }]);
    await this.#removeParts(new Set());
  }

  async #removeParts(current: ReadonlySet<string>): Promise<void> {
    const { workspaceId, collection } = this.#scope;
    const keep = new Set([...current].map((partId) => keys.indexPart(workspaceId, collection, partId).sk));
    const gone: { readonly remove: Key }[] = [];
    for await (const item of this.#table.query({
      pk: keys.index(workspaceId, collection),
      from: 'PART#',
      to: 'PART#~',
      only: ['pk', 'sk'],
    })) {
      if (!keep.has(item.sk)) gone.push({ remove: item });
    }
    await this.#table.write(gone);
  }

  get #mark(): Key {
    return { pk: keys.index(this.#scope.workspaceId, this.#scope.collection), sk: 'UNFINISHED' };
  }
}
