import type {
  BatchGetCommandInput,
  BatchWriteCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { TableClient } from '#lib/table/dynamodb/client.ts';
import type { Operation } from '#lib/table/dynamodb/operations.ts';
import type { Item, Key } from '#lib/table/schema.ts';
import { Table } from '#lib/table/table.ts';
import { type Expressions, evaluate, updated } from './expressions.ts';

/** A write with an optional condition: a put, an update, a deletion, or only a check. */
type Write = Expressions & { readonly Item?: unknown; readonly Key?: unknown };

/**
 * Replaces the engine while a test opens a new workspace. An import calls the engine some hundred times. This table
 * collects its result, which a few calls then write. It supports only the calls of an import.
 * test/contract/open-workspace.test.ts compares it with the engine.
 */
export class MemoryTable {
  /** By partition key, then by sort key. */
  readonly #partitions = new Map<string, Map<string, Item>>();
  readonly table: Table;

  /** @param items the initial items */
  constructor(name: string, items: readonly Item[] = []) {
    const call = (async (operation: Operation, input: object) => this.#call(operation, input)) as TableClient['call'];
    this.table = new Table({ client: { call, destroy() {} }, name });
    for (const item of items) this.#store(item);
  }

  get items(): Item[] {
    return [...this.#partitions.values()].flatMap((partition) => [...partition.values()]);
  }

  #call(operation: Operation, input: object): object {
    switch (operation) {
      case 'BatchGetItem':
        return this.#read(input as BatchGetCommandInput);
      case 'Query':
        return this.#query(input as QueryCommandInput);
      case 'BatchWriteItem':
        return this.#writeBatch(input as BatchWriteCommandInput);
      case 'TransactWriteItems':
        return this.#transact(input as TransactWriteCommandInput);
      case 'PutItem':
      case 'UpdateItem':
        return this.#change(input as PutCommandInput | UpdateCommandInput);
    }
  }

  #read({ RequestItems = {} }: BatchGetCommandInput): object {
    const read = (keys: readonly Record<string, unknown>[] = []) =>
      keys.flatMap((key) => this.#find(key) ?? []).map((item) => structuredClone(item));
    return {
      Responses: Object.fromEntries(Object.entries(RequestItems).map(([name, { Keys }]) => [name, read(Keys)])),
    };
  }

  #query(query: QueryCommandInput): object {
    const { KeyConditionExpression = '', ProjectionExpression, ScanIndexForward = true, ExclusiveStartKey } = query;
    const names = query.ExpressionAttributeNames ?? {};
    const partition = this.#partitions.get(query.ExpressionAttributeValues?.[':pk'])?.values() ?? [];
    const found = [...partition]
      .filter((item) => evaluate(KeyConditionExpression, query, item))
      .sort((a, b) => Buffer.compare(Buffer.from(a.sk), Buffer.from(b.sk)) * (ScanIndexForward ? 1 : -1));
    const start = ExclusiveStartKey ? found.findIndex(({ sk }) => sk === ExclusiveStartKey['sk']) + 1 : 0;
    const end = start + (query.Limit ?? found.length);
    const shown = ProjectionExpression?.split(', ').map((name) => names[name] ?? name);
    const Items = structuredClone(found.slice(start, end)).map((item) =>
      shown ? Object.fromEntries(Object.entries(item).filter(([name]) => shown.includes(name))) : item,
    );
    return { Items, Count: Items.length, ...(end < found.length && { LastEvaluatedKey: found[end - 1] }) };
  }

  #writeBatch({ RequestItems = {} }: BatchWriteCommandInput): object {
    for (const { PutRequest, DeleteRequest } of Object.values(RequestItems).flat()) {
      if (PutRequest) this.#apply({ Item: PutRequest.Item });
      else this.#apply({ Key: DeleteRequest?.Key });
    }
    return {};
  }

  #transact({ TransactItems = [] }: TransactWriteCommandInput): object {
    const writes = TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => ({
      write: (Put ?? Update ?? Delete ?? ConditionCheck) as Write,
      isCheck: ConditionCheck !== undefined,
    }));
    if (!writes.every(({ write }) => this.#holds(write))) {
      throw Object.assign(new Error('A condition does not hold.'), {
        name: 'TransactionCanceledException',
        $metadata: {},
      });
    }
    for (const { write, isCheck } of writes) if (!isCheck) this.#apply(write);
    return {};
  }

  #change(write: PutCommandInput | UpdateCommandInput): object {
    if (!this.#holds(write)) throw new Error(`The condition ${write.ConditionExpression} does not hold.`);
    return { Attributes: structuredClone(this.#apply(write)) };
  }

  #holds(write: Write): boolean {
    const item = this.#find(write.Item ?? write.Key) ?? {};
    return write.ConditionExpression === undefined || evaluate(write.ConditionExpression, write, item);
  }

  #apply(write: Write): Item | undefined {
    if (write.Item === undefined && write.UpdateExpression === undefined) {
      const { pk, sk } = write.Key as Key;
      this.#partitions.get(pk)?.delete(sk);
      return undefined;
    }
    const item = write.Item ?? updated(write.UpdateExpression ?? '', write, this.#find(write.Key) ?? write.Key);
    return this.#store(stripped(item) as Item);
  }

  #find(key: unknown): Item | undefined {
    const { pk, sk } = key as Key;
    return this.#partitions.get(pk)?.get(sk);
  }

  #store(item: Item): Item {
    const partition = this.#partitions.get(item.pk) ?? new Map<string, Item>();
    this.#partitions.set(item.pk, partition);
    partition.set(item.sk, item);
    return item;
  }
}

/** A copy without undefined members, which the client omits, too. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, stripped(member)]));
}
