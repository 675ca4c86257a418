import { randomUUID } from 'node:crypto';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ConditionFailed, Contended, Unavailable } from '../errors.ts';
import { type Connection, completed, send } from './client.ts';
import { isPassing, type ServiceError } from './dynamodb-http.ts';

type TableItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction; the transaction adds the name of the table. */
export type TransactItem = { [Kind in keyof TableItem]: Omit<NonNullable<TableItem[Kind]>, 'TableName'> };

/** A write of a transaction. A function makes a new write for each try. */
export type Write = TransactItem | (() => TransactItem);

/** The writes of a transaction by name. Errors have the name of the write that failed. */
export type Writes = Readonly<Record<string, Write | readonly Write[] | undefined>>;

/**
 * Tries once to carry out all of the writes or none. `repeatTransaction` retries after a conflict.
 * @throws ConditionFailed, Contended, Unavailable
 */
export async function transact({ connection }: { readonly connection: Connection }, writes: Writes): Promise<void> {
  const { names, items } = listOf(writes, connection.name);
  try {
    await send(connection, 'TransactWriteItems', {
      TransactItems: items,
      ReturnConsumedCapacity: 'TOTAL',
      // DynamoDB carries out a call once, even if the client repeats it after a lost reply.
      ClientRequestToken: randomUUID(),
    });
  } catch (error) {
    throw failureOf(error, names);
  }
}

function listOf(writes: Writes, TableName: string) {
  const list = Object.entries(writes).flatMap(([name, write]) =>
    [write ?? []].flat().map((item) => ({ name, item: typeof item === 'function' ? item() : item })),
  );
  return { names: list.map(({ name }) => name), items: list.map(({ item }) => inTable(item, TableName)) };
}

const inTable = (item: TransactItem, TableName: string) =>
  Object.fromEntries(
    Object.entries(item).map(([kind, write]) => [kind, { TableName, ...completed(write) }]),
  ) as TableItem;

function failureOf(cause: unknown, names: readonly string[]): unknown {
  if (!(cause instanceof Error) || cause.name !== 'TransactionCanceledException') return cause;
  const { CancellationReasons: reasons = [], $metadata } = cause as ServiceError;
  const codes = reasons.map(({ Code }) => Code ?? 'None');
  const failed = codes.indexOf('ConditionalCheckFailed');
  if (failed >= 0) return new ConditionFailed(reasons[failed]?.Item, names[failed] ?? '');
  if (codes.includes('ValidationError')) return cause;
  // If the client repeated the call, its first try may have been carried out.
  const isUndone = ($metadata.attempts ?? 1) === 1;
  if (!isUndone || !isPassing(cause as ServiceError))
    return new Unavailable('The transaction was cancelled.', { cause, isUndone });
  return new Contended(
    names.filter((_, position) => codes[position] === 'TransactionConflict'),
    { cause },
  );
}
