import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { testTable } from '#test/support/world.ts';

const perMinute = 600;
process.env['RATE_LIMIT'] = String(perMinute);
await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
const table = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
// As in a deployed function.
delete process.env['LOOPBACK_ORIGINS'];
// Imported from here on, with limits and with the table behind the proxy.
const { call } = await import('#test/support/call.ts');
const { openWorkspace } = await import('#test/support/workspace.ts');

afterEach(() => table.heal());
afterAll(() => table.stop());

const { itIs } = freezeDate();
const room = await openWorkspace('visitors');
const addressOf = (conversationId: string) => `GET ${conversations}/${conversationId}/messages`;
const origin = 'https://anywhere.example';

describe('the limit of calls', () => {
  it('counts the calls of each visitor, also with a renewed token', async () => {
    const visitor = await room.visit();
    const other = await room.visit();
    const callerId = `visitor#${visitor.customerId}`;
    await testTable().put({ ...keys.rateBucket(room.workspaceId, callerId), fullAt: Date.now() + 60_000 });
    const refused = await call(addressOf(visitor.conversationId), { key: visitor.token, headers: { origin } });
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'access-control-allow-origin': origin });
    const { json: renewed } = await room.session({ renew: visitor.token });
    expect((await call(addressOf(visitor.conversationId), { key: renewed.token })).status).toBe(429);
    const shop = { origin: 'https://shop.example.com' };
    expect((await call(addressOf(other.conversationId), { key: other.token, headers: shop })).status).toBe(200);
    expect((await call(addressOf(visitor.conversationId), { key: room.keys.reader })).status).toBe(200);
  });
});

/** How often each operation of the table is called, without the limiter's. */
const calls = () => table.calls.map(({ operation }) => operation).filter((operation) => operation !== 'UpdateItem');

describe('a rate-limited call', () => {
  it.each(['a token', 'a key'])('costs no further round trip: a poll with %s', async (which) => {
    const { token, conversationId } = await room.visit();
    const key = which === 'a key' ? room.keys.reader : token;
    const first = await call(addressOf(conversationId), { key });
    const poll = () =>
      call(addressOf(conversationId), { key, headers: { 'if-none-match': first.headers['etag'] ?? '' } });
    await poll();
    // The bucket is full again.
    itIs(2_100);
    await table.forget();
    const isRead = () => calls().includes('BatchGetItem');
    let wasReadMeanwhile = false;
    const meanwhile = async () => {
      for (let tries = 0; tries < 1_000 && !isRead(); tries++) await new Promise((resolve) => setTimeout(resolve, 5));
      const [read] = table.calls.filter(({ operation }) => operation === 'BatchGetItem');
      wasReadMeanwhile = JSON.stringify(read?.input).includes(conversationId);
    };
    table.plan('UpdateItem', { kind: 'late', meanwhile }, 1);
    expect((await poll()).status).toBe(304);
    expect([wasReadMeanwhile, calls()]).toEqual([true, ['BatchGetItem']]);
  });
});

describe('a deployed service', () => {
  it('serves pages of this machine for a localhost channel only', async () => {
    const { json: local } = await room.session({ channelIdentifier: 'localhost' });
    const statusFrom = async ({ token, conversationId }: typeof local, from: string) =>
      (await call(addressOf(conversationId), { key: token, headers: { origin: from } })).status;
    const visitor = await room.visit();
    for (const from of ['http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      expect([from, await statusFrom(visitor, from), await statusFrom(local, from)]).toEqual([from, 403, 200]);
    }
    expect(await statusFrom(local, 'https://shop.example.com')).toBe(403);
  });
});

describe('a key with a new secret', () => {
  it("keeps its visitors' tokens, with and without a grace period", async () => {
    const own = await openWorkspace('visitors', ({ members, apiKeys, workspace }) => {
      const managing = ['access:key:read', 'access:key:manage', 'access:member:manage'];
      const permissions = [...members[0].permissions, ...managing];
      members.push({ id: 'mem_chief', name: 'Chief', permissions });
      apiKeys.push({
        id: 'key_chief',
        name: 'Chief',
        secret: `chief-${workspace.id}`,
        memberId: 'mem_chief',
        permissions,
      });
    });
    const { token, conversationId } = await own.visit();
    const rotate = async (graceSeconds: number) => {
      const chief = `chief-${own.workspaceId}`;
      const path = '/api/v1/manage/api-keys/key_desk';
      const { status } = await call(`POST ${path}/rotate`, { key: chief, body: { graceSeconds } });
      expect(status).toBe(200);
      expect((await call(addressOf(conversationId), { key: token })).status).toBe(200);
      return (body: object) => call(`PATCH ${path}`, { key: chief, body });
    };
    await rotate(60);
    const change = await rotate(0);
    expect((await change({ revokedAt: '2026-01-01T00:00:00.000Z' })).status).toBe(200);
    expect((await call(addressOf(conversationId), { key: token })).status).toBe(401);
  });
});

describe('while the table does not answer', () => {
  it('a 503 allows the origin of the request while the table does not answer', async () => {
    const { token, conversationId } = await room.visit();
    table.chance = () => ({ kind: 'error', type: 'ThrottlingException', status: 400 });
    const { status, headers } = await call(addressOf(conversationId), { key: token, headers: { origin } });
    table.chance = () => undefined;
    expect([status, headers['access-control-allow-origin']]).toEqual([503, origin]);
  });
});
