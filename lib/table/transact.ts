import { setTimeout as pause } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ConditionFailed, Contended, RefusedByTable, Unavailable } from './errors.ts';
import { plainItem } from './plain-item.ts';
import { type Connection, send } from './send.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const triesMax = 8;
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** The SDK does not repeat a transaction that met another one; this does, a bounded number of times. */
export async function transact(connection: Connection, items: readonly TransactItem[]): Promise<void> {
  let met: Unavailable | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      await send(connection, 'TransactWriteItems', (client, options) =>
        client.send(
          new TransactWriteCommand({
            TransactItems: [...items],
            ReturnConsumedCapacity: 'TOTAL',
          }),
          options,
        ),
      );
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      // When time runs out during a later try, that the transaction met others is still what is known of it.
      if (!reasons) throw connection.signal.aborted ? (met ?? error) : error;
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      const failed = codes.indexOf('ConditionalCheckFailed');
      if (failed >= 0) throw new ConditionFailed(plainItem(reasons[failed]?.Item), failed);
      if (codes.some((code) => code === 'ValidationError')) throw new RefusedByTable(codes.join(), { cause: error });
      met = failureOf(codes, error);
      if (attempt === triesMax || !codes.some((code) => passing.has(code))) throw met;
      await pause(Math.random() * 25 * 2 ** attempt, undefined, { signal: connection.signal }).catch(() => {
        throw met;
      });
    }
  }
}

function failureOf(codes: readonly string[], cause: unknown): Unavailable {
  const met = codes.flatMap((code, position) => (code === 'TransactionConflict' ? [position] : []));
  return met.length > 0 ? new Contended(met, { cause }) : new Unavailable('The transaction was cancelled.', { cause });
}

interface CancellationReason {
  readonly Code?: string;
  readonly Item?: Record<string, AttributeValue>;
}

const cancellationReasons = (error: unknown): readonly CancellationReason[] | undefined =>
  error instanceof Error && error.name === 'TransactionCanceledException'
    ? ((error as { CancellationReasons?: CancellationReason[] }).CancellationReasons ?? [])
    : undefined;
