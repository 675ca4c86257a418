import { ConditionFailed, RefusedByTable, Unavailable } from '../errors.ts';
import type { TableClient } from './client.ts';
import type { ServiceError } from './dynamodb-http.ts';
import type { Input, Operation, Output } from './operations.ts';

/** Cost of one request's calls, for the request's log line. */
export interface Meter {
  readonly calls: Record<string, number>;
  readUnits: number;
  writeUnits: number;
}

export const newMeter = (): Meter => ({ calls: {}, readUnits: 0, writeUnits: 0 });

interface Consumed {
  readonly CapacityUnits?: number | undefined;
}

export const isRead = (operation: string): boolean => operation === 'BatchGetItem' || operation === 'Query';

export function countCall(meter: Meter, operation: string, consumed: Consumed | readonly Consumed[] | undefined): void {
  meter.calls[operation] = (meter.calls[operation] ?? 0) + 1;
  const units = [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (isRead(operation)) meter.readUnits += units;
  else meter.writeUnits += units;
}

export interface Connection {
  readonly client: TableClient;
  readonly name: string;
  /** Ends every call of the request at its deadline. */
  readonly signal: AbortSignal;
  /** The time at which `signal` ends the calls, on the clock of clock.ts. */
  readonly deadline: number;
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

function named(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'ConditionalCheckFailedException') return new ConditionFailed((error as ServiceError).Item);
  if (name === 'TransactionCanceledException' || error instanceof Unavailable) return error;
  if (name === 'ValidationException') return new RefusedByTable((error as Error).message, { cause: error });
  return new Unavailable('The table did not answer.', { cause: error });
}

interface Conditional {
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
}

/**
 * A write as the table takes it. In its expressions, `#name` is the attribute `name`, unless it says otherwise. A failed
 * condition returns the stored item.
 */
export function completed<Write extends Conditional>(write: Write): Write {
  const { UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames } = write;
  const found = `${UpdateExpression} ${ConditionExpression}`.match(/#\w+/g) ?? [];
  const names = { ...Object.fromEntries(found.map((name) => [name, name.slice(1)])), ...ExpressionAttributeNames };
  return {
    ...write,
    ...(found.length > 0 && { ExpressionAttributeNames: names }),
    ...(ConditionExpression !== '' && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}
