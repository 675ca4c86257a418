import { setTimeout as pause } from 'node:timers/promises';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { BatchedReads } from './dynamodb/batched-reads.ts';
import { type Connection, completed, isRead, newMeter, send, type TableClient } from './dynamodb/client.ts';
import { abortAfter, milliseconds } from './dynamodb/clock.ts';
import type { Condition } from './dynamodb/conditions.ts';
import type { Output } from './dynamodb/operations.ts';
import { keys, type RecordKind } from './keys.ts';
import { type Range, rangeExpressions } from './range.ts';
import type { ExpiringKind } from './record-kinds.ts';
import type { Item, Key } from './schema.ts';

/** A page ends at 1 MB. Without this limit, the embedded engine reads the rest of the partition for every page. */
const itemsPerPageMax = 1_000;

/** The same for pages of which the engine sends only the number. */
const countedPerPageMax = 10_000;

/** The same for pages with a filter, which transfer little. Larger pages take the embedded engine less time in all. */
const filteredItemsPerPageMax = 2_500;

/** Leaves enough of a route's three seconds to render the answer. */
const gracePeriodMilliseconds = 200;

type Update = Omit<UpdateCommandInput, 'TableName' | 'Key' | 'ReturnConsumedCapacity'>;

export type { WorkspaceScope } from '#lib/domain/access/principal.ts';
export type { TransactItem, Write, Writes } from './dynamodb/transact.ts';
export type { Range } from './range.ts';
export type { Item, Key } from './schema.ts';

/**
 * The operations on the table during one request. Every read is consistent. An outage throws `Unavailable`, a failed
 * condition `ConditionFailed`.
 */
export class Table extends BatchedReads {
  /** Longer reads, by name. */
  readonly #once = new Map<string, Promise<unknown>>();
  /** When this object was made, on the clock of clock.ts. All its reads are later. */
  readonly startedAt = milliseconds();

  /** @param options without a deadline, its calls have all time */
  constructor(options: Pick<Connection, 'client' | 'name'> & Partial<Connection>, sharing?: BatchedReads) {
    const { signal = new AbortController().signal, deadline = Number.POSITIVE_INFINITY, meter = newMeter() } = options;
    super({ client: options.client, name: options.name, signal, deadline, meter }, sharing);
  }

  uncached(): Table {
    return new Table(this.connection);
  }

  /** For work that the request does not wait for: with a timeout of two seconds and a separate cost. */
  inBackground(): Table {
    const { client, name } = this.connection;
    return new Table({ client, name }).withTimeout(2_000);
  }

  /** The same table for clean-up, even after the request's deadline. @param duration in milliseconds */
  withTimeout(duration: number): Table {
    const deadline = milliseconds() + duration;
    return new Table({ ...this.connection, signal: abortAfter(duration).signal, deadline });
  }

  /** The same table for checking the effect of a write: its calls end a little after the request's deadline. */
  withGracePeriod(): Table {
    const left = Math.ceil(this.connection.deadline + gracePeriodMilliseconds - milliseconds());
    if (left === Number.POSITIVE_INFINITY) return this.uncached();
    // After a pause of the process, the deadline may have passed although the request has not ended yet.
    const least = this.isPastDeadline ? 0 : gracePeriodMilliseconds;
    return this.withTimeout(Math.max(least, left));
  }

  get millisecondsLeft(): number {
    return this.connection.deadline - milliseconds();
  }

  get isPastDeadline(): boolean {
    return this.connection.signal.aborted;
  }

  /** The same table with the same cache. Its writes wait. @param until rejects if they must not be made */
  holdingWrites(until: Promise<void>): Table {
    const { client } = this.connection;
    const call: TableClient['call'] = async (operation, input, signal) => {
      if (!isRead(operation)) await until;
      return client.call(operation, input, signal);
    };
    return new Table({ ...this.connection, client: { ...client, call, mayWrite: until } }, this);
  }

  /** Resolves when the request may write, for writes to other stores. It rejects if they must not be made. */
  mayWrite = async (): Promise<void> => this.connection.client.mayWrite;

  get name(): string {
    return this.connection.name;
  }

  override clearCache(): void {
    super.clearCache();
    this.#once.clear();
  }

  /** Removes this key, and all ranges, from the cache of this request. */
  override evict(key: Key): void {
    super.evict(key);
    this.#once.clear();
  }

  /** The items of a range, cached for the request. */
  range = (range: Omit<Range, 'where'>): Promise<Item[]> => this.once(JSON.stringify(range), () => this.all(range));

  /** Makes a read one time in this request, until a write. @param name names the read */
  once<Result>(name: string, read: () => Promise<Result>): Promise<Result> {
    const made = (this.#once.get(name) as Promise<Result> | undefined) ?? read();
    this.#once.set(name, made);
    return made;
  }

  /** The read of `once` with this name, if this request has begun it. */
  begun<Result>(name: string): Promise<Result> | undefined {
    return this.#once.get(name) as Promise<Result> | undefined;
  }

  /** All items of a range, in key order, page by page. */
  async *query(range: Range): AsyncGenerator<Item> {
    for await (const { Items = [] } of this.#pages(range)) yield* Items as Item[];
  }

  /** The same at once. */
  all = async (range: Range): Promise<Item[]> =>
    (await Array.fromAsync(this.#pages(range))).flatMap(({ Items = [] }) => Items as Item[]);

  /** The number of items of a range. It costs as many read units as the items, which are not sent. */
  async count(range: Pick<Range, 'pk' | 'from' | 'to'>): Promise<number> {
    const pages = await Array.fromAsync(this.#pages({ ...range, perPage: countedPerPageMax }, 'COUNT'));
    return pages.reduce((sum, { Count = 0 }) => sum + Count, 0);
  }

  /** After a page without a match for the filter, the next is larger. */
  async *#pages(range: Range, Select?: 'COUNT'): AsyncGenerator<Output<'Query'>> {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    let perPage = range.perPage ?? itemsPerPageMax;
    let left = range.atMost ?? Number.POSITIVE_INFINITY;
    do {
      const page = await send(this.connection, 'Query', {
        TableName: this.name,
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
        ScanIndexForward: !range.descending,
        Limit: Math.min(left, perPage),
        Select,
        ExclusiveStartKey,
        ...rangeExpressions(range),
      });
      yield page;
      const { Count = 0 } = page;
      left -= Count;
      if (range.where && Count === 0) perPage = Math.min(5 * perPage, filteredItemsPerPageMax);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey && left > 0);
  }

  /** @throws ConditionFailed */
  async put(item: Item, condition?: Condition): Promise<void> {
    await send(this.connection, 'PutItem', {
      TableName: this.name,
      Item: item,
      ReturnConsumedCapacity: 'TOTAL',
      ...completed(condition ?? {}),
    });
    this.evict(item);
  }

  /** @returns the whole item as it is after the update. @throws ConditionFailed */
  async update(key: Key, update: Update): Promise<Item> {
    const { Attributes } = await send(this.connection, 'UpdateItem', {
      TableName: this.name,
      Key: { pk: key.pk, sk: key.sk },
      ReturnValues: 'ALL_NEW',
      ReturnConsumedCapacity: 'TOTAL',
      ...completed(update),
    });
    this.evict(key);
    return Attributes as Item;
  }

  /** Waits between two tries, at most until the deadline of the request. */
  async pause(duration: number): Promise<void> {
    await pause(duration, undefined, { signal: this.connection.signal }).catch(() => undefined);
  }
}

/** The record of an item, which is stored as JSON text. */
export const recordOf = <R>(item: Item): R => JSON.parse(String(item['record'])) as R;

/** Access pattern W2: a record by its id, which may be any input. Those that may expire are read by `keptRecordOf`. */
export async function findRecord<R extends object>(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: Exclude<RecordKind, ExpiringKind>,
  id: string,
): Promise<R | undefined> {
  const item = isRecordId(id) ? await table.get(keys.record(workspaceId, kind, id)) : undefined;
  return item && recordOf<R>(item);
}

/** The stored records of one workspace, made for a caller of it. No caller can name another workspace. */
export abstract class Repository implements WorkspaceScope {
  protected readonly table: Table;
  readonly workspaceId: string;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.table = table;
    this.workspaceId = workspaceId;
  }
}
