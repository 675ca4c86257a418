import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { type Front, startFront } from '#lib/local/front.ts';
import { type FunctionModule, hostFunctions } from '#lib/local/function-host.ts';
import { requestLimits } from '#lib/local/request-limits.ts';
import { Stats } from '#lib/local/stats.ts';
import { countCall, type Meter, newMeter } from '#lib/table/dynamodb/client.ts';
import { noFunctions } from '#test/support/local-front.ts';

/** The cost of one call of an operation. */
function meterOf(operation: string, units: number): Meter {
  const meter = newMeter();
  countCall(meter, operation, { CapacityUnits: units });
  return meter;
}

const nothing = { dynamodb: { calls: {}, readUnits: 0, writeUnits: 0 }, s3: { calls: {} } };

describe('stats', () => {
  it('add up what requests cost, by operation', () => {
    const stats = new Stats();
    stats.count(meterOf('BatchGetItem', 1.5));
    stats.count(meterOf('BatchGetItem', 2));
    stats.count(meterOf('UpdateItem', 4));
    expect(stats.read()).toEqual({
      dynamodb: { calls: { BatchGetItem: 2, UpdateItem: 1 }, readUnits: 3.5, writeUnits: 4 },
      s3: { calls: {} },
    });
  });

  it('count calls that end after their request', () => {
    const stats = new Stats();
    const meter = meterOf('BatchGetItem', 2);
    stats.count(meter);
    countCall(meter, 'Query', { CapacityUnits: 5 });
    expect(stats.read().dynamodb).toEqual({ calls: { BatchGetItem: 1, Query: 1 }, readUnits: 7, writeUnits: 0 });
  });

  it('count many requests', () => {
    const stats = new Stats();
    for (let request = 0; request < 1_000; request++) stats.count(meterOf('Query', 0.5));
    expect(stats.read().dynamodb).toEqual({ calls: { Query: 1_000 }, readUnits: 500, writeUnits: 0 });
  });

  it('start at zero after a reset', () => {
    const stats = new Stats();
    expect(stats.read()).toEqual(nothing);
    for (let request = 0; request < 1_000; request++) stats.count(meterOf('Query', 0.5));
    stats.reset();
    expect(stats.read()).toEqual(nothing);
    stats.count(meterOf('Query', 1));
    expect(stats.read().dynamodb.calls).toEqual({ Query: 1 });
  });
});

describe('a metered function', () => {
  const event = () => ({}) as APIGatewayProxyEventV2;
  const costsOf = async (handler: NonNullable<FunctionModule['handler']>) => {
    const stats = new Stats();
    const modules = new Map([['thing-get', { handler }]]);
    const count = ({ state }: Partial<ApiEvent>) => state?.meter && stats.count(state.meter);
    const result = await hostFunctions(modules, new Map(), count).invoke('thing-get', event());
    return { result, calls: stats.read().dynamodb.calls };
  };

  it('is counted by the data that it adds to its event', async () => {
    const answering = async (event: object) => {
      Object.assign(event, { state: { meter: meterOf('Query', 1) } });
      return 'answer';
    };
    expect(await costsOf(answering)).toEqual({ result: 'answer', calls: { Query: 1 } });
  });

  it('is counted when it fails', async () => {
    const failing = async (event: object) => {
      Object.assign(event, { state: { meter: meterOf('Query', 1) } });
      throw new Error('failed');
    };
    expect(await costsOf(failing)).toEqual({
      result: expect.objectContaining({ statusCode: 500 }),
      calls: { Query: 1 },
    });
  });

  it('costs nothing when it opens no table', async () => {
    expect(await costsOf(async (event) => Object.assign(event, { state: {} }))).toMatchObject({ calls: {} });
    expect(await costsOf(async () => 'answer')).toEqual({ result: 'answer', calls: {} });
  });
});

describe('/_local/stats', () => {
  const stats = new Stats();
  let front: Front;

  beforeEach(async () => {
    stats.reset();
    stats.count(meterOf('Query', 2.5));
    front = await startFront({
      host: '127.0.0.1',
      port: 0,
      routes: [],
      endpoints: new Map(),
      functions: { ...noFunctions, invoke: async () => ({ statusCode: 404, body: 'of the service' }) },
      limits: requestLimits.ours,
      pages: { stats: stats.read, 'DELETE stats': stats.reset },
    });
  });

  afterEach(() => front.stop());

  /** `fetch` cannot set the Host header. */
  async function ask(method: string, path = '/_local/stats', host = 'localhost') {
    const call = request({ host: '127.0.0.1', port: front.port, method, path, headers: { host } }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  it('answers what was counted', async () => {
    const { status, headers, body } = await ask('GET');
    expect({ status, cache: headers['cache-control'] }).toEqual({ status: 200, cache: 'no-store' });
    expect(JSON.parse(body)).toEqual({
      dynamodb: { calls: { Query: 1 }, readUnits: 2.5, writeUnits: 0 },
      s3: { calls: {} },
    });
  });

  it.each(['?', '?utm_source=mail', '?x=/../y'])('ignores the query parameters in %s', async (query) => {
    expect(JSON.parse((await ask('GET', `/_local/stats${query}`)).body)).toMatchObject({
      dynamodb: { readUnits: 2.5 },
    });
  });

  it('is reset by DELETE, which answers nothing', async () => {
    const { status, headers, body } = await ask('DELETE');
    expect({ status, type: headers['content-type'], body }).toEqual({ status: 204, type: undefined, body: '' });
    expect(stats.read()).toEqual(nothing);
  });

  it.each([
    ['POST', '/_local/stats'],
    ['PUT', '/_local/stats'],
    ['OPTIONS', '/_local/stats'],
    ['DELETE', '/_local/other'],
    ['DELETE', '/_local/stats/'],
    ['DELETE', '/_local/constructor'],
    ['GET', '/_local/constructor'],
  ])('leaves %s %s to the service', async (method, path) => {
    expect(await ask(method, path)).toMatchObject({ status: 404, body: 'of the service' });
  });

  it.each(['GET', 'DELETE'])(
    'is an unknown address to %s on another host name than that of this machine',
    async (method) => {
      expect(await ask(method, '/_local/stats', 'evil.example')).toMatchObject({ body: 'of the service' });
      expect(stats.read().dynamodb.calls).toEqual({ Query: 1 });
    },
  );
});
