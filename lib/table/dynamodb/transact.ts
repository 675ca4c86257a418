import { setTimeout as pause } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ConditionFailed, Contended, RefusedByTable, Unavailable } from '../errors.ts';
import { plainItem } from './plain-item.ts';
import { type Connection, send } from './send.ts';

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The writes of a transaction by name; errors carry the name of the write that they are about. */
export type Writes = Readonly<Record<string, TransactItem | readonly TransactItem[] | undefined>>;

const triesMax = 8;
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** The SDK does not retry a transaction that conflicted with another one; this does, a bounded number of times. */
export async function transact(connection: Connection, writes: Writes, tries = triesMax): Promise<void> {
  const { names, items } = listOf(writes);
  let met: Unavailable | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      await send(connection, 'TransactWriteItems', (client, options) =>
        client.send(
          new TransactWriteCommand({
            TransactItems: items,
            ReturnConsumedCapacity: 'TOTAL',
          }),
          options,
        ),
      );
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      // When time runs out during a later try, the conflict of an earlier try is still the reason.
      if (!reasons) throw connection.signal.aborted ? (met ?? error) : error;
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      const failed = codes.indexOf('ConditionalCheckFailed');
      if (failed >= 0) {
        const repeated = ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;
        throw new ConditionFailed(plainItem(reasons[failed]?.Item), { write: names[failed] ?? '', repeated });
      }
      if (codes.some((code) => code === 'ValidationError')) throw new RefusedByTable(codes.join(), { cause: error });
      met = failureOf(codes, names, error);
      if (attempt >= tries || !codes.some((code) => passing.has(code))) throw met;
      await pause(Math.random() * 25 * 2 ** attempt, undefined, { signal: connection.signal }).catch(() => {
        throw met;
      });
    }
  }
}

function listOf(writes: Writes): { readonly names: readonly string[]; readonly items: TransactItem[] } {
  const list = Object.entries(writes).flatMap(([name, write]) => [write ?? []].flat().map((item) => ({ name, item })));
  return { names: list.map(({ name }) => name), items: list.map(({ item }) => item) };
}

function failureOf(codes: readonly string[], names: readonly string[], cause: unknown): Unavailable {
  const met = names.filter((_, position) => codes[position] === 'TransactionConflict');
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
