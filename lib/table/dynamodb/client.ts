import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { DynamoDbHttp, isPassing, type ServiceError } from './dynamodb-http.ts';
import { type Input, type Operation, type Output, outputOf, requestOf } from './operations.ts';

/** The timeout and number of tries: low for requests, because a caller waits; higher for imports. */
const timeoutProfiles = {
  request: { requestTimeout: 1_500, attempts: 4 },
  import: { requestTimeout: 15_000, attempts: 8 },
} as const;
type TimeoutProfile = keyof typeof timeoutProfiles;

export interface TableClient {
  /** Makes a call, with retries. @throws errors that have the name and the members of the SDK's */
  call<Name extends Operation>(operation: Name, input: Input<Name>, signal: AbortSignal): Promise<Output<Name>>;
  /** Closes its connections. */
  destroy(): void;
  /** Rejects if no write may be made. @default every write may be made */
  readonly mayWrite?: Promise<void>;
}

/**
 * A cold container has a third of a processor and still compiles while its first connection opens. A shorter timeout
 * would end healthy attempts. The request's deadline bounds all attempts.
 */
const connectionTimeout = 1_000;

/** The address of the table, for programs that do not read it from the environment. */
type TableAddress = Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;

/**
 * Without an address, the SDK finds endpoint and credentials in the environment, on AWS as in the local run. Calls use
 * its configuration, but not its middleware: that takes four to six times as much CPU.
 */
export function tableClient(timeoutProfile: TimeoutProfile = 'request', address: TableAddress = {}): TableClient {
  const { requestTimeout, attempts } = timeoutProfiles[timeoutProfile];
  const requestHandler = { connectionTimeout, requestTimeout, throwOnRequestTimeout: true };
  const client = new DynamoDBClient({ ...address, requestHandler });
  const http = new DynamoDbHttp(client.config);
  return {
    call: async (operation, input, signal) => {
      // Made once, so that all tries of a transaction have the same ClientRequestToken.
      const body = JSON.stringify(requestOf(input));
      const answer = await retried(() => http.send(operation, body, signal), attempts, signal);
      return outputOf(answer);
    },
    destroy: () => client.destroy(),
  };
}

type Failure = ServiceError & Parameters<typeof isThrottlingError>[0];

/** A write is retried so often while transactions lock its item: longer than the deadline of a request. */
const conflictsMax = 40;
const pauseMillisecondsMax = 400;

/**
 * Repeats the failures that the SDK repeats, and a single write that conflicts with a transaction. After a try without a
 * reply it also repeats a transaction that conflicts: only its token tells whether that try was carried out.
 * @throws the error of the last try, with the number of tries in `$metadata.attempts`. Conflicts are not counted
 */
async function retried<Answer>(
  attempt: () => Promise<Answer>,
  attemptsMax: number,
  signal: AbortSignal,
): Promise<Answer> {
  let conflicts = 0;
  for (let attempts = 1; ; ) {
    try {
      return await attempt();
    } catch (cause) {
      const error = cause as Failure;
      const isHeld = error.name === 'TransactionConflictException' || (attempts > 1 && isPassing(error));
      const isConflict = isHeld && conflicts < conflictsMax;
      const isRepeated = attempts < attemptsMax && (isThrottlingError(error) || isTransientError(error));
      const failed = Object.assign(error, { $metadata: { ...error.$metadata, attempts } });
      if (!isConflict && !isRepeated) throw failed;
      if (isConflict) conflicts++;
      const longest = isConflict ? 25 * 2 ** conflicts : 40 * 2 ** attempts++;
      const hinted = isConflict ? 0 : (error.retryAfter?.getTime() ?? 0) - Date.now();
      const pauseMilliseconds = Math.random() * Math.min(pauseMillisecondsMax, longest);
      await pause(Math.max(pauseMilliseconds, hinted), undefined, { signal }).catch(() => {
        throw failed;
      });
    }
  }
}

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
 * @throws ConditionFailed, Unavailable; a canceled transaction or a refused request as the SDK's error
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

/** The table refused the request itself: a document path without its parent, an item over 400 KB, or a bug. */
const ofRequest = new Set(['TransactionCanceledException', 'ValidationException']);

function named(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'ConditionalCheckFailedException') return new ConditionFailed((error as ServiceError).Item);
  if (ofRequest.has(name) || error instanceof Unavailable) return error;
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
