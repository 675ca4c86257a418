import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { keys } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const perMinute = 120;
process.env['RATE_LIMIT'] = String(perMinute);
// The test's own table has no proxy, because it was opened before.
await testTable().get(keys.rateBucket('ws_none', 'key_none'));
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterAll(() => proxy.stop());
// Imported from here on, with limits.
const { call } = await import('#test/support/call.ts');
const { RateLimiter } = await import('#lib/table/access/rate-limiter.ts');

const { start } = freezeDate();
let kitchen: Awaited<ReturnType<typeof openWorkspace<'kitchen'>>>;
beforeEach(async () => {
  kitchen = await openWorkspace('kitchen');
});

const list = (key: string | undefined, query = '') =>
  call(`GET /api/public/cms/chefs/list?limit=1${query}`, key === undefined ? {} : { key });
const remainingIn = (header = ''): number => Number(/^"key";r=(\d+);t=\d+$/.exec(header)?.[1]);

/** Sets the key's bucket to this number of tokens. */
const leave = (tokens: number, keyId = 'key_reader') =>
  testTable().put({
    ...keys.rateBucket(kitchen.workspaceId, keyId),
    fullAt: Date.now() + 60_000 - tokens * (60_000 / perMinute),
  });

describe('with limits switched on', () => {
  it('an answer reports the remaining calls', async () => {
    const first = await list(kitchen.keys.reader);
    expect([first.status, first.headers['ratelimit-policy']]).toEqual([200, '"key";q=120;w=60']);
    expect(remainingIn(first.headers['ratelimit'])).toBe(perMinute - 1);
    await leave(50);
    const second = remainingIn((await list(kitchen.keys.reader)).headers['ratelimit']);
    const refused = await list(kitchen.keys.reader, '&maxDepth=9');
    const third = remainingIn(refused.headers['ratelimit']);
    expect([second, refused.status, third]).toEqual([49, 400, 48]);
  });

  it('a call over the limit is 429, with the time to retry', async () => {
    await leave(0);
    const { status, json, headers } = await list(kitchen.keys.reader);
    expect([status, json.code]).toEqual([429, 'rate_limited']);
    expect(headers['ratelimit']).toBe('"key";r=0;t=60');
    expect(headers['retry-after']).toBe('1');
  });

  it('each key has a separate limit', async () => {
    await leave(0);
    expect((await list(kitchen.keys.reader)).status).toBe(429);
    expect((await list(kitchen.keys.editor)).status).toBe(200);
  });

  it('calls without a valid key are not limited, and get no RateLimit headers', async () => {
    await leave(0);
    for (const key of [undefined, 'x'.repeat(20), kitchen.keys.revoked]) {
      const { status, headers } = await list(key);
      expect(status).toBe(401);
      expect(headers).not.toHaveProperty('ratelimit');
    }
  });

  it('a key without permissions is limited before it gets 403', async () => {
    expect((await list(kitchen.keys.powerless)).status).toBe(403);
    await leave(0, 'key_cmsOnly');
    expect((await list(kitchen.keys.cmsOnly)).status).toBe(429);
  });

  it('streamed answers have the RateLimit headers, too', async () => {
    const { headers } = await call('POST /api/v1/connect/ai-stream', { key: kitchen.keys.reader, body: {} });
    expect(headers['ratelimit-policy']).toBe('"key";q=120;w=60');
  });
});

describe('a call that cannot be counted', () => {
  const faults: [string, Fault][] = [
    ['is throttled', { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }],
    ['breaks the connection', { kind: 'reset before' }],
    ['never answers', { kind: 'hang' }],
  ];
  it.each(faults)('is 503 without data when the limiter %s', async (_, fault) => {
    proxy.plan('UpdateItem', fault, undefined, 'RATE#');
    const { status, json, headers } = await list(kitchen.keys.reader);
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect(headers['retry-after']).toMatch(/^[1-9]$/);
    expect(headers).not.toHaveProperty('ratelimit');
    proxy.heal();
    expect((await list(kitchen.keys.reader)).status).toBe(200);
  });
});

describe('a bucket', () => {
  const limiter = new RateLimiter();
  const client = tableClient('import');
  /** Runs some work on the table, and counts its updates, refused ones included. */
  const counted = async (work: (table: Table) => Promise<unknown>) => {
    let updates = 0;
    const call: typeof client.call = (operation, input, signal) => {
      if (operation === 'UpdateItem') updates++;
      return client.call(operation, input, signal);
    };
    await work(new Table({ client: { ...client, call }, name: testTable().name }));
    return { updates };
  };
  const takeFrom = (table: Table, now: number, keyId: string, container = limiter) =>
    container.take(table, { workspaceId: kitchen.workspaceId, callerId: keyId }, perMinute, now);
  const take = (now: number, keyId = 'key_1', container = limiter) => takeFrom(testTable(), now, keyId, container);

  it("allows a minute's calls immediately, and then as many as time refills", async () => {
    const taken = [];
    for (let calls = 0; calls < perMinute + 5; calls++) taken.push((await take(start)).isAllowed);
    expect(taken.filter(Boolean)).toHaveLength(perMinute);
    expect(taken.lastIndexOf(true)).toBe(perMinute - 1);
    expect(await take(start + 499)).toMatchObject({ isAllowed: false, remaining: 0, retryAfter: 1 });
    expect(await take(start + 500)).toMatchObject({ isAllowed: true });
    expect(await take(start + 501)).toMatchObject({ isAllowed: false });
    expect(await take(start + 600_000)).toMatchObject({ isAllowed: true, remaining: perMinute - 1 });
  });

  it('allows no more when many functions use it in parallel', async () => {
    await leave(7, 'key_2');
    const answers = await Promise.all(Array.from({ length: 9 }, () => take(start, 'key_2', new RateLimiter())));
    const stored = await testTable().get(keys.rateBucket(kitchen.workspaceId, 'key_2'));
    expect(answers.some(({ isAllowed }) => isAllowed)).toBe(true);
    expect(Number(stored?.['fullAt'])).toBeLessThanOrEqual(start + 60_001);
  });

  it('is not emptied by unused tokens of 60 containers', async () => {
    const answers = [];
    for (let call = 0; call < 120; call++) answers.push(await take(start, 'key_3', new RateLimiter()));
    expect(answers.map(({ isAllowed }) => isAllowed)).toEqual(Array(120).fill(true));
    expect(await take(start + 2, 'key_3', new RateLimiter())).toMatchObject({ isAllowed: false });
  });

  it('gives each of several parallel calls of one container a token, and no more than it has', async () => {
    await leave(20, 'key_4');
    const answers = await Promise.all(Array.from({ length: 30 }, () => take(start, 'key_4')));
    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(20);
  });

  it('costs one update a call, however fast the calls of a container are', async () => {
    const costs = [];
    for (const later of [0, 1, 400, 401, 2_100, 2_101, 70_000, 70_001, 200_000])
      costs.push((await counted((table) => takeFrom(table, start + later, 'key_5'))).updates);
    expect(costs).toEqual(Array(9).fill(1));
  });

  it('costs one more update where the calls of another container came in between, and then one again', async () => {
    const costOf = async (later: number, container: typeof limiter) =>
      (await counted((table) => takeFrom(table, start + later, 'key_8', container))).updates;
    const other = new RateLimiter();
    expect(await costOf(0, limiter)).toBe(1);
    expect([await costOf(1, other), await costOf(2, other), await costOf(3, limiter)]).toEqual([2, 1, 1]);
  });

  it('that is known to be empty costs no update, until it has its next token', async () => {
    await leave(1, 'key_6');
    const flood = async (now: number, calls: number) => {
      const allowed: boolean[] = [];
      const { updates } = await counted(async (table) => {
        for (let each = 0; each < calls; each++) allowed.push((await takeFrom(table, now, 'key_6')).isAllowed);
      });
      return { allowed: allowed.filter(Boolean).length, updates };
    };
    expect((await flood(start, 1)).allowed).toBe(1);
    expect(await flood(start + 1, 50)).toEqual({ allowed: 0, updates: 0 });
    expect(await flood(start + 499, 50)).toEqual({ allowed: 0, updates: 0 });
    expect(await flood(start + 500, 50)).toEqual({ allowed: 1, updates: 1 });
  });

  it('is known to be empty as soon as one update was refused', async () => {
    await leave(0, 'key_7');
    const container = new RateLimiter();
    const first = await counted((table) => takeFrom(table, start, 'key_7', container));
    const second = await counted((table) => takeFrom(table, start + 100, 'key_7', container));
    expect([first.updates, second.updates]).toEqual([1, 0]);
    // Another container takes the next token. This one learns it by one update.
    expect((await take(start + 500, 'key_7', new RateLimiter())).isAllowed).toBe(true);
    const third = await counted((table) => takeFrom(table, start + 501, 'key_7', container));
    const fourth = await counted((table) => takeFrom(table, start + 999, 'key_7', container));
    expect([third.updates, fourth.updates]).toEqual([1, 0]);
  });
});

describe('containers with wrong clocks', () => {
  const seconds = 1_000;

  it.each([
    ['ahead by six minutes', 360 * seconds],
    ['ahead by a day', 86_400 * seconds],
  ])('do not keep a caller out when one was %s', async (_, ahead) => {
    const caller = { workspaceId: kitchen.workspaceId, callerId: 'key_clock' };
    const now = Date.now();
    await new RateLimiter().take(testTable(), caller, perMinute, now + ahead);
    const right = new RateLimiter();
    const first = await right.take(testTable().uncached(), caller, perMinute, now);
    expect(first.isAllowed || first.retryAfter <= 1).toBe(true);
    const next = await new RateLimiter().take(testTable().uncached(), caller, perMinute, now + seconds);
    expect([next.isAllowed, next.fullIn <= 61]).toEqual([true, true]);
  });

  it('count the calls of containers whose clock is right when one was behind', async () => {
    const caller = { workspaceId: kitchen.workspaceId, callerId: 'key_behind' };
    const now = Date.now();
    await new RateLimiter().take(testTable(), caller, perMinute, now - 360 * seconds);
    const next = await new RateLimiter().take(testTable().uncached(), caller, perMinute, now);
    expect([next.isAllowed, next.remaining]).toEqual([true, perMinute - 1]);
  });
});
