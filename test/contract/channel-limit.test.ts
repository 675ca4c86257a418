import { expect, it } from '@jest/globals';
import { channelCount, channelsMax } from '#lib/table/access/hourly-limits.ts';
import { call } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { streamPath, website } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

// The count is that of an hour, which may end at any moment.
const { start, itIs } = freezeDate();
const refused = {
  message: 'This API key has made too many channels this hour; try again after Retry-After seconds.',
  code: 'rate_limited',
};

/** A room whose key may create so many more channels in this hour. */
async function roomWith(left: number) {
  const room = await openWorkspace('visitors');
  const caller = { workspaceId: room.workspaceId, callerId: 'key_desk' };
  const { Key, ...update } = channelCount(caller, channelsMax - left, start);
  await testTable().update(Key, update);
  const stored = async () => ({
    channels: (await storedRecords(room.workspaceId, 'channel')).length,
    customers: (await storedRecords(room.workspaceId, 'customer')).length,
    conversations: (await storedRecords(room.workspaceId, 'conversation')).length,
  });
  let number = 0;
  const open = (host: string, headers = {}) =>
    room.open({ channelIdentifier: host, customer: { externalId: `new-${++number}` } }, headers);
  return { ...room, stored, openAt: open };
}

it('a caller creates at most 1,000 website channels an hour; the next is refused (429), and nothing of its request is stored', async () => {
  const { openAt, session, stored, key } = await roomWith(1);
  expect(channelsMax).toBe(1_000);
  const repeated = { 'idempotency-key': 'opened again' };
  expect((await openAt('last.example', repeated)).status).toBe(201);
  const before = await stored();

  const body = { channelIdentifier: 'more.example' };
  const reply = { agentId: 'agent_1', conversationId: 'conv_bare', customer: { externalId: 'new' }, ...body };
  const answers = await Promise.all([
    openAt('more.example'),
    openAt('more.example', { 'idempotency-key': 'one more' }),
    session(body),
    call(streamPath, { key, body: { ...reply, lastMessageId: 'msg_bare', senderId: 'x' } }),
  ]);
  for (const { status, json, headers } of answers) {
    expect([status, json]).toEqual([429, refused]);
    const seconds = Number(headers['retry-after']);
    expect([seconds >= 1, seconds <= 3_600]).toEqual([true, true]);
  }
  expect(await stored()).toEqual(before);
});

it('a caller at the limit still reaches stored websites, and repeats get their first answer', async () => {
  const { openAt, open, session } = await roomWith(1);
  const again = () => open({ channelIdentifier: 'last.example', customerId: 'cus_1' }, { 'idempotency-key': 'again' });
  const first = await again();
  expect(first.status).toBe(201);
  expect((await openAt('last.example')).status).toBe(201);
  expect((await openAt(website)).status).toBe(201);
  expect((await session({ channelIdentifier: website })).status).toBe(201);
  expect(await again()).toMatchObject({ status: 201, json: first.json });
});

it('each caller and each hour has a separate count', async () => {
  const { openAt, session, keys: secrets } = await roomWith(0);
  expect((await openAt('one.example')).status).toBe(429);
  expect((await session({ channelIdentifier: 'two.example' }, { key: secrets.other })).status).toBe(201);
  itIs(3_600_000);
  expect((await openAt('three.example')).status).toBe(201);
});

it('parallel calls for one website create one channel, and count one time', async () => {
  const { openAt, stored } = await roomWith(1);
  const before = await stored();
  const answers = await Promise.all(Array.from({ length: 6 }, () => openAt('together.example')));
  // On a busy machine, several calls in parallel may exceed a request's time.
  const statuses = answers.map(({ status }) => status).filter((status) => status !== 503);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect((await stored()).channels).toBe(before.channels + 1);
});
