import { describe, expect, it } from '@jest/globals';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { website } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const room = await openWorkspace('visitors');
const { session } = room;
const hour = 3_600_000;
const day = 24 * hour;

const customerOf = async (id: string) => {
  const customers = await storedRecords(room.workspaceId, 'customer');
  return customers.find((customer) => customer['id'] === id);
};

/** Changes the end of a stored token. */
const endAt = async (token: string, expiresAt: number) => {
  const table = testTable();
  const stored = await table.get(keys.visitorToken(hashOfSecret(token)));
  await table.put({ ...stored, expiresAt: new Date(expiresAt).toISOString() } as never);
};

describe('a new session', () => {
  it("has a token of an hour for a conversation, a customer and the channel's agent", async () => {
    const before = Date.now();
    const { status, headers, json } = await session({ channelIdentifier: `https://www.${website}/menu` });
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(json).toEqual({
      token: expect.stringMatching(/^wst_[0-9A-Za-z]{43}$/),
      expiresAt: expect.any(String),
      conversationId: expect.stringMatching(/^conv_/),
      customerId: expect.stringMatching(/^cus_/),
      agentId: 'agent_1',
    });
    expect(Date.parse(json.expiresAt) - before).toBeGreaterThanOrEqual(hour);
    expect(Date.parse(json.expiresAt) - before).toBeLessThan(hour + 60_000);
    const conversation = await room.send('GET', `/${json.conversationId}`);
    expect(conversation.json).toMatchObject({ channelId: 'ch_web', customerId: json.customerId, status: 'open' });
  });

  it('stores only the hash of the token', async () => {
    const { token } = await room.visit();
    expect(await testTable().get(keys.visitorToken(hashOfSecret(token)))).toBeDefined();
    expect(await testTable().get(keys.visitorToken(token))).toBeUndefined();
    const stored = await testTable().get(keys.visitorToken(hashOfSecret(token)));
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('creates an anonymous customer with the given details, even if another customer has the same address', async () => {
    const customer = { name: 'Sami', email: 'huda@example.com', phone: '0112345678' };
    const first = await room.visit(customer);
    const second = await room.visit(customer);
    expect(new Set([first.customerId, second.customerId, 'cus_1']).size).toBe(3);
    expect(await customerOf(first.customerId)).toEqual({
      id: first.customerId,
      externalId: expect.stringMatching(/^visitor-.{16,}$/),
      ...customer,
    });
    expect((await room.visit({ externalId: ' ' })).customerId).not.toBe((await room.visit({})).customerId);
  });

  it('finds a customer by externalId, and the open conversation', async () => {
    const person = { externalId: 'crm-1' };
    const first = await room.visit(person);
    const second = await room.visit(person);
    expect(first).toMatchObject({ customerId: 'cus_1' });
    expect(second).toMatchObject({ customerId: 'cus_1', conversationId: first.conversationId });
    expect(second.token).not.toBe(first.token);
    await room.send('PATCH', `/${first.conversationId}`, { status: 'resolved' });
    expect((await room.visit(person)).conversationId).not.toBe(first.conversationId);
  });

  it('creates the channel of a new website, without an agent', async () => {
    const { status, json } = await session({ channelIdentifier: 'new.example.com', language: 'ar' });
    expect([status, json.agentId]).toEqual([201, null]);
    const { json: conversation } = await room.send('GET', `/${json.conversationId}`);
    expect(conversation.language).toBe('ar');
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await session({ channelIdentifier: website }, { key: room.key, headers });
    const second = await session({ channelIdentifier: website }, { key: room.key, headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.json.token).not.toBe(second.json.token);
  });
});

describe('a renewal', () => {
  it('opens the same conversation with a new token, even a resolved one; the old token keeps its end', async () => {
    const first = await room.visit();
    await room.send('PATCH', `/${first.conversationId}`, { status: 'resolved' });
    const { status, json } = await session({ renew: first.token });
    expect(status).toBe(201);
    const { token, expiresAt, ...same } = json;
    expect(first).toMatchObject(same);
    expect(token).not.toBe(first.token);
    const messages = `GET /api/v1/connect/conversations/${first.conversationId}/messages`;
    expect((await call(messages, { key: first.token })).status).toBe(200);
    expect((await call(messages, { key: token })).status).toBe(200);
  });

  it('is accepted until 30 days after the end of the token', async () => {
    const { token } = await room.visit();
    await endAt(token, Date.now() - 30 * day + 60_000);
    expect((await session({ renew: token })).status).toBe(201);
    await endAt(token, Date.now() - 30 * day - 1_000);
    expect(await session({ renew: token })).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('answers 404 for a token of another key, of another workspace, and for a malformed one', async () => {
    const { token } = await room.visit();
    const other = await openWorkspace('visitors');
    expect((await session({ renew: token }, { key: room.keys.other })).status).toBe(404);
    expect((await other.session({ renew: token })).status).toBe(404);
    for (const renew of [`${token}x`, 'wst_', '', room.key]) expect((await session({ renew })).status).toBe(404);
    expect((await session({ renew: token })).status).toBe(201);
  });
});

describe('a request', () => {
  it.each([
    [{}, 'channelIdentifier', 'required'],
    [{ channelIdentifier: null }, 'channelIdentifier', 'required'],
    [{ channelIdentifier: 5 }, 'channelIdentifier', 'type'],
    [{ channelIdentifier: website, renew: 'wst_1' }, 'channelIdentifier', 'unknown_field'],
    [{ renew: 'wst_1', language: 'en' }, 'language', 'unknown_field'],
    [{ renew: 5 }, 'renew', 'type'],
    [{ channelIdentifier: website, customerId: 'cus_1' }, 'customerId', 'unknown_field'],
    [{ channelIdentifier: 'not a host' }, 'channelIdentifier', 'format'],
    [{ channelIdentifier: website, language: 'fr' }, 'language', 'not_allowed'],
    [{ channelIdentifier: website, customer: { name: 'x'.repeat(201) } }, 'customer.name', 'max_length'],
  ])('%j is refused at %s (400)', async (body, path, code) => {
    expect(await session(body)).toMatchObject({ status: 400, json: { errors: [{ path, code }] } });
  });

  it('with members beside `renew` has the wrong shape, so its code is invalid_body', async () => {
    const { json } = await session({ renew: 'wst_1', customer: { name: 'Ana' } });
    expect(json).toMatchObject({ code: 'invalid_body', errors: [{ path: 'customer' }] });
  });

  it('requires an engaging key with an engaging member; a token opens no session', async () => {
    const body = { channelIdentifier: website };
    const { token } = await room.visit();
    const { workspaceId } = room;
    const statusOf = async (key: string) => (await session(body, { key })).status;
    expect(await statusOf(room.keys.reader)).toBe(403);
    expect(await statusOf(`alone-${workspaceId}`)).toBe(403);
    expect(await statusOf(`weak-${workspaceId}`)).toBe(403);
    expect(await statusOf(token)).toBe(403);
    expect(await statusOf('unknown-key-0000000000')).toBe(401);
    expect((await call('POST /api/v1/connect/visitor-sessions', { body })).status).toBe(401);
  });
});
