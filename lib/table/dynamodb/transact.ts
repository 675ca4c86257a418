import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ConditionFailed, Contended, RefusedByTable, Unavailable } from '../errors.ts';
import { type Connection, send } from './send.ts';
import type { CancellationReason, ServiceError } from './service-error.ts';

type TableItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction; the transaction adds the name of the table. */
export type TransactItem = { [Kind in keyof TableItem]: Omit<NonNullable<TableItem[Kind]>, 'TableName'> };

/** A write of a transaction. A function makes a new write for each try. */
export type Write = TransactItem | (() => TransactItem);

/** The writes of a transaction by name. Errors have the name of the write that failed. */
export type Writes = Readonly<Record<string, Write | readonly Write[] | undefined>>;

const triesMax = 16;
/** A transaction locks its items for some tens of milliseconds. */
const pauseMillisecondsMax = 200;
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Writes a transaction. The client does not retry a conflict with another transaction; this function does. */
export async function transact(connection: Connection, writes: Writes, tries = triesMax): Promise<void> {
  let lastFailure: ((isUndone: boolean) => Unavailable) | undefined;
  // If the client repeated a try, its first call may have been carried out.
  let isUndone = true;
  for (let attempt = 1; ; attempt++) {
    const { names, items } = listOf(writes, connection.name);
    try {
      await send(connection, 'TransactWriteItems', {
        TransactItems: items,
        ReturnConsumedCapacity: 'TOTAL',
        // DynamoDB carries out a call once, even if the client repeats it after a lost reply.
        ClientRequestToken: randomUUID(),
      });
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      // When time runs out during a later try, the conflict of an earlier try is still the reason.
      if (!reasons) {
        const isUnsent = error instanceof Unavailable && error.isUndone;
        throw connection.signal.aborted && lastFailure ? lastFailure(isUndone && isUnsent) : error;
      }
      const calls = (error as ServiceError).$metadata.attempts ?? 1;
      isUndone &&= calls === 1;
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      const failed = codes.indexOf('ConditionalCheckFailed');
      if (failed >= 0) {
        throw new ConditionFailed(reasons[failed]?.Item, {
          write: names[failed] ?? '',
          repeated: calls > 1,
        });
      }
      if (codes.some((code) => code === 'ValidationError')) throw new RefusedByTable(codes.join(), { cause: error });
      lastFailure = (isUndone) => failureOf(codes, names, { cause: error, isUndone });
      if (attempt >= tries || !codes.some((code) => passing.has(code))) throw lastFailure(isUndone);
      const milliseconds = Math.random() * Math.min(pauseMillisecondsMax, 25 * 2 ** attempt);
      await pause(milliseconds, undefined, { signal: connection.signal }).catch(() => {
        throw lastFailure?.(isUndone);
      });
    }
  }
}

function listOf(writes: Writes, TableName: string) {
  const list = Object.entries(writes).flatMap(([name, write]) =>
    [write ?? []].flat().map((item) => ({ name, item: typeof item === 'function' ? item() : item })),
  );
  return { names: list.map(({ name }) => name), items: list.map(({ item }) => inTable(item, TableName)) };
}

const inTable = (item: TransactItem, TableName: string) =>
  Object.fromEntries(Object.entries(item).map(([kind, write]) => [kind, { TableName, ...write }])) as TableItem;

function failureOf(codes: readonly string[], names: readonly string[], about: ErrorOptions & { isUndone: boolean }) {
  const conflicting = names.filter((_, position) => codes[position] === 'TransactionConflict');
  return codes.some((code) => passing.has(code))
    ? new Contended(conflicting, about)
    : new Unavailable('The transaction was cancelled.', about);
}

const cancellationReasons = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof Error && error.name === 'TransactionCanceledException'
    ? ((error as ServiceError).CancellationReasons ?? [])
    : undefined;
