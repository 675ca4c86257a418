import { ConditionFailed, RefusedByTable, Unavailable } from '../errors.ts';
import type { TableClient } from './client.ts';
import { countCall, type Meter } from './meter.ts';
import type { Input, Operation, Output } from './operations.ts';
import type { ServiceError } from './service-error.ts';

export interface Connection {
  readonly client: TableClient;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly meter: Meter;
}

/**
 * Makes one call, bounded by the request's signal, and counts it.
 * @throws ConditionFailed, RefusedByTable, Unavailable; a canceled transaction as the SDK's error
 */
export async function send<Name extends Operation>(
  { client, signal, meter }: Connection,
  operation: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  if (signal.aborted) throw new Unavailable('There is no time left to ask the table.', { isUndone: true });
  try {
    const output = await client.call(operation, input, signal);
    countCall(meter, operation, output.ConsumedCapacity);
    return output;
  } catch (error) {
    throw named(error);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

function named(error: unknown): unknown {
  const name = nameOf(error);
  if (name === 'ConditionalCheckFailedException') {
    const { Item, $metadata } = error as ServiceError;
    return new ConditionFailed(Item, { repeated: ($metadata.attempts ?? 1) > 1 });
  }
  if (name === 'TransactionCanceledException') return error;
  if (name === 'ValidationException') return new RefusedByTable((error as Error).message, { cause: error });
  return new Unavailable('The table did not answer.', { cause: error });
}
