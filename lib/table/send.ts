import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { TableClient } from './client.ts';
import { ConditionFailed, RefusedByTable, Unavailable } from './errors.ts';
import { countCall, type Meter } from './meter.ts';
import { plainItem } from './plain-item.ts';

export interface Connection {
  readonly client: TableClient;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

interface CallOptions {
  readonly abortSignal: AbortSignal;
}

/** One call: bounded by the request's signal, counted, its failure told in the words of errors.ts. */
export async function send<Output extends { ConsumedCapacity?: Parameters<typeof countCall>[2] }>(
  { client, signal, meter }: Connection,
  operation: string,
  call: (client: TableClient, options: CallOptions) => Promise<Output>,
): Promise<Output> {
  try {
    const output = await call(client, { abortSignal: signal });
    countCall(meter, operation, output.ConsumedCapacity);
    return output;
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'ConditionalCheckFailedException') {
    const { Item, $metadata } = error as ConditionalCheckFailedException;
    return new ConditionFailed(plainItem(Item), 0, ($metadata.attempts ?? 1) > 1);
  }
  if (name === 'TransactionCanceledException') return error;
  if (name === 'ValidationException') return new RefusedByTable((error as Error).message, { cause: error });
  return new Unavailable('The table did not answer.', { cause: error });
}
