import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import fc from 'fast-check';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { timed } from '#test/support/spent-time.ts';

interface PlannedReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Breaks the connection before the reply, or after half of its body. */
  readonly breaks?: 'before' | 'halfway';
}

interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A server that answers calls with the results of a function, and records them. DynamoDB Local lacks some refusals of
 * AWS.
 */
async function replyingServer(replyTo: (call: ReceivedCall, index: number) => PlannedReply) {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const call = { headers: request.headers, body: await text(request) };
    const { status, headers, body = '', breaks } = replyTo(call, calls.push(call) - 1);
    if (breaks === 'before') return request.socket.resetAndDestroy();
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
    if (breaks !== 'halfway') return response.end(body);
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { endpoint, calls, stop };
}

const address = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } };
const { signal } = new AbortController();
const put = (Item: object) => ({ TableName: 'table', Item: Item as Record<string, unknown> });

/** The SDK's client with the service's retry strategy. */
function sdkClient(endpoint: string): DynamoDBDocumentClient {
  const retryStrategy = new ConfiguredRetryStrategy(4, () => 1);
  const requestHandler = { requestTimeout: 1_500, throwOnRequestTimeout: true };
  return DynamoDBDocumentClient.from(new DynamoDBClient({ ...address, endpoint, retryStrategy, requestHandler }), {
    marshallOptions: { allowImpreciseNumbers: true, removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: Number },
  });
}

let stored = '{}';
const echo = await replyingServer(({ headers, body }) => {
  if (String(headers['x-amz-target']).endsWith('PutItem')) {
    stored = body;
    return { status: 200, body: '{}' };
  }
  return { status: 200, body: JSON.stringify({ Items: [JSON.parse(stored).Item] }) };
});
const theirs = sdkClient(echo.endpoint);
const ours = tableClient('request', { ...address, endpoint: echo.endpoint });
afterAll(() => echo.stop());

describe('values', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ max: 0xffff, min: 0 })).map((units) => String.fromCharCode(...units)),
  );
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
  const bytes = fc.uint8Array().map((array) => Buffer.from(array));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      number,
      bytes,
      fc.boolean(),
      fc.constantFrom(null, undefined),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    // The SDK cannot store these two.
    map: fc.dictionary(
      text.filter((name) => !['constructor', '__proto__'].includes(name)),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));

  it('of every type are sent and read as by the SDK', async () => {
    const property = fc.asyncProperty(fc.dictionary(fc.string(), value, { maxKeys: 5 }), async (item) => {
      const start = echo.calls.length;
      await theirs.send(new PutCommand(put(item)));
      await ours.call('PutItem', put(item), signal);
      const [their, our] = echo.calls.slice(start);
      expect(JSON.parse(our?.body ?? '')).toEqual(JSON.parse(their?.body ?? ''));
      const query = { TableName: 'table' };
      const read = await theirs.send(new QueryCommand(query));
      expect((await ours.call('Query', query, signal)).Items).toEqual(read.Items);
    });
    await fc.assert(property, {
      numRuns: 100,
      examples: [[{ a: -0, b: '', c: { d: undefined, e: [undefined, null] }, f: 1e21, g: '\ud800', h: 5e-324 }]],
    });
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY], [new Date()], [Symbol('s')]])(
    'like %p are refused before anything is sent, as by the SDK',
    async (strange) => {
      const sent = echo.calls.length;
      await expect(ours.call('PutItem', put({ a: [{ strange }] }), signal)).rejects.toThrow(TypeError);
      await expect(theirs.send(new PutCommand(put({ a: [{ strange }] })))).rejects.toThrow(Error);
      expect(echo.calls).toHaveLength(sent);
    },
  );

  it('a member may have the name of a method', async () => {
    await ours.call('PutItem', put({ map: { constructor: 'a', toString: 'b' } }), signal);
    expect(JSON.parse(stored).Item).toEqual({ map: { M: { constructor: { S: 'a' }, toString: { S: 'b' } } } });
  });
});

const refusal = (type: string, status = 400, more: object = {}): PlannedReply => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `${type} message`, ...more }),
});
const item = { pk: { S: 'a' }, n: { N: '1' } };

/** Replies; the last one is repeated. */
const cases: Record<string, readonly PlannedReply[]> = {
  'an empty object': [{ status: 200, body: '{}' }],
  'a failed condition': [refusal('ConditionalCheckFailedException', 400, { Item: item })],
  'a failed condition after a lost reply': [
    { status: 200, breaks: 'before' },
    refusal('ConditionalCheckFailedException', 400, { Item: item }),
  ],
  'a cancelled transaction': [
    refusal('TransactionCanceledException', 400, {
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Message: 'The condition.', Item: item },
      ],
    }),
  ],
  'a throttled call, then none': [refusal('ThrottlingException'), { status: 200, body: '{}' }],
  'a status alone': [{ status: 429, body: '{}' }],
  'a type in a header': [{ status: 400, body: '{}', headers: { 'x-amzn-errortype': 'ValidationException:http://x' } }],
  'no type': [{ status: 400, body: '{"Message":"No type."}' }],
  'an expired signature': [
    {
      ...refusal('InvalidSignatureException'),
      body: '{"__type":"a#InvalidSignatureException","message":"Signature expired: now"}',
    },
  ],
  'text with 502': [
    { status: 502, body: '<html>' },
    { status: 200, body: '{}' },
  ],
  'text with 413': [{ status: 413, body: '<html>' }],
  'an error with 501': [refusal('NotImplemented', 501)],
  'a time to wait': [
    { ...refusal('ThrottlingException'), headers: { 'x-amz-retry-after': '30' } },
    { status: 200, body: '{}' },
  ],
  'a lost reply': [{ status: 200, breaks: 'before' }],
  'half of a reply': [{ status: 200, body: '{"ConsumedCapacity":[]}', breaks: 'halfway' }],
  'a reply that is no JSON': [{ status: 200, body: '{"Consumed' }],
  ...Object.fromEntries(
    [
      'AccessDeniedException',
      'ExpiredTokenException',
      'IdempotentParameterMismatchException',
      'InternalServerError',
      'InvalidSignatureException',
      'ItemCollectionSizeLimitExceededException',
      'LimitExceededException',
      'ProvisionedThroughputExceededException',
      'ReplicatedWriteConflictException',
      'RequestLimitExceeded',
      'ResourceNotFoundException',
      'SerializationException',
      'ServiceUnavailable',
      'TransactionInProgressException',
      'UnrecognizedClientException',
      'ValidationException',
    ].map((type) => [type, [refusal(type, { InternalServerError: 500, ServiceUnavailable: 503 }[type])]]),
  ),
};

const write = { TransactItems: [{ Put: put({ pk: 'a' }) }] };
interface SdkError {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number };
}

/** The result of a call: its error, if any, and the number of attempts. */
async function endOf(replies: readonly PlannedReply[], call: (endpoint: string) => Promise<unknown>) {
  const server = await replyingServer((_, index) => replies[index] ?? (replies.at(-1) as PlannedReply));
  try {
    const error = await call(server.endpoint).then(
      () => undefined,
      (thrown: SdkError) => thrown,
    );
    const tokens = new Set(server.calls.map(({ body }) => JSON.parse(body).ClientRequestToken));
    // In a test, Node's errors come from another realm, so the SDK wraps them.
    const isOfNode = replies.at(-1)?.breaks !== undefined;
    const end = error && {
      attempts: error.$metadata?.attempts,
      ...(!isOfNode && {
        name: error.name,
        status: error.$metadata?.httpStatusCode,
        // The SDK adds a hint in a second line.
        message: error.message.split('\n')[0],
      }),
    };
    return { end, tries: server.calls.length, tokens: tokens.size, error };
  } finally {
    await server.stop();
  }
}

const ourEnd = (replies: readonly PlannedReply[]) =>
  endOf(replies, (endpoint) =>
    tableClient('request', { ...address, endpoint }).call(
      'TransactWriteItems',
      { ...write, ClientRequestToken: 't' },
      signal,
    ),
  );
const theirEnd = (replies: readonly PlannedReply[]) =>
  endOf(replies, (endpoint) => sdkClient(endpoint).send(new TransactWriteCommand(write)));

describe('a call', () => {
  it('ends like one of the SDK, after as many attempts, for any reply', async () => {
    const compared = Object.entries(cases).map(async ([name, replies]) => {
      const [{ error: _, ...ours }, { error: __, ...theirs }] = await Promise.all([ourEnd(replies), theirEnd(replies)]);
      return { name, ours, theirs };
    });
    for (const { name, ours, theirs } of await Promise.all(compared))
      expect({ name, ...ours }).toEqual({ name, ...theirs });
  });

  it('has the stored items of failed conditions, as plain values', async () => {
    const plain = { pk: 'a', n: 1 };
    const failed = await ourEnd(cases['a failed condition after a lost reply'] ?? []);
    expect(failed.error).toMatchObject({ Item: plain, $metadata: { attempts: 2 } });
    const cancelled = await ourEnd(cases['a cancelled transaction'] ?? []);
    expect(cancelled.error).toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: plain }],
    });
  });

  it('is repeated after a conflict with a transaction, unlike one of the SDK', async () => {
    const conflict = refusal('TransactionConflictException');
    const done = { status: 200, body: '{}' };
    expect(await ourEnd([conflict, conflict, done])).toMatchObject({ end: undefined, tries: 3, tokens: 1 });
    // An item in the middle of many transactions fails no write that still has time.
    const contended = Array.from({ length: 12 }, () => conflict);
    expect(await ourEnd([...contended, done])).toMatchObject({ end: undefined, tries: 13, tokens: 1 });
    // A try without a reply may have been carried out. A conflict was not.
    const failed = refusal('ConditionalCheckFailedException');
    expect(await ourEnd([{ status: 200, breaks: 'before' }, conflict, failed])).toMatchObject({ end: { attempts: 2 } });
    expect(await ourEnd([conflict, failed])).toMatchObject({ end: { attempts: 1 }, tries: 2 });
  });

  it('repeats a transaction that conflicts only after a try without a reply', async () => {
    const lost = { status: 200, breaks: 'before' } as const;
    const done = { status: 200, body: '{}' };
    const cancelled = (...codes: string[]) => ({
      status: 400,
      body: JSON.stringify({
        __type: 'TransactionCanceledException',
        CancellationReasons: codes.map((Code) => ({ Code })),
      }),
    });
    const conflict = cancelled('None', 'TransactionConflict');
    expect(await ourEnd([conflict, done])).toMatchObject({ end: { attempts: 1 }, tries: 1 });
    expect(await ourEnd([lost, conflict, conflict, done])).toMatchObject({ end: undefined, tries: 4, tokens: 1 });
    const failed = cancelled('ConditionalCheckFailed', 'TransactionConflict');
    expect(await ourEnd([lost, failed, done])).toMatchObject({ end: { attempts: 2 }, tries: 2 });
  });

  it('ends at once when it is aborted after a conflict', async () => {
    const stop = new AbortController();
    const server = await replyingServer(() => {
      stop.abort();
      return refusal('TransactionConflictException');
    });
    const client = tableClient('request', { ...address, endpoint: server.endpoint });
    await expect(client.call('PutItem', put({}), stop.signal)).rejects.toThrow();
    expect(server.calls).toHaveLength(1);
    await server.stop();
  });

  it('does not take an empty reply for a whole one', async () => {
    expect(await ourEnd([{ status: 200 }])).toMatchObject({ end: { name: 'SyntaxError' }, tries: 1 });
    expect(await ourEnd([{ status: 503 }])).toMatchObject({ end: { status: 503 }, tries: 4 });
  });

  it('corrects a clock that is wrong once, and does not repeat refusals after that', async () => {
    const later = () => new Date(Date.now() + 3_600_000);
    const server = await replyingServer(({ headers }) => {
      const [, year, month, day, hour, minute] = /(....)(..)(..)T(..)(..)/.exec(String(headers['x-amz-date'])) ?? [];
      const signed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`);
      const isSkewed = Math.abs(later().getTime() - signed) > 300_000;
      const type = isSkewed ? 'InvalidSignatureException' : 'ConditionalCheckFailedException';
      return { ...refusal(type), headers: { date: later().toUTCString() } };
    });
    const client = tableClient('request', { ...address, endpoint: server.endpoint });
    const name = 'ConditionalCheckFailedException';
    await expect(client.call('PutItem', put({}), signal)).rejects.toMatchObject({ name, $metadata: { attempts: 2 } });
    await expect(client.call('PutItem', put({}), signal)).rejects.toMatchObject({ name, $metadata: { attempts: 1 } });
    expect(server.calls).toHaveLength(3);
    await server.stop();
  });

  it('ends immediately when it is aborted, even between two attempts', async () => {
    const stop = new AbortController();
    const server = await replyingServer(() => {
      setTimeout(() => stop.abort(), 5);
      return { ...refusal('ThrottlingException'), headers: { 'x-amz-retry-after': '4000' } };
    });
    const client = tableClient('request', { ...address, endpoint: server.endpoint });
    const { waited } = await timed(() => expect(client.call('PutItem', put({}), stop.signal)).rejects.toThrow());
    expect(waited).toBeLessThan(3_000);
    expect(server.calls).toHaveLength(1);
    await server.stop();
  });
});
