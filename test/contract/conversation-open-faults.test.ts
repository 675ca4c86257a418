import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { channelName } from '#lib/domain/messaging/channel.ts';
import { keys } from '#lib/table/keys.ts';
import { applyChange } from '#test/support/apply-change.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { website } from '#test/support/presets/chat.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { testTable } from '#test/support/world.ts';

await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
const table = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
// Imported from here on, so that the table is behind the proxy.
const { openWorkspace } = await import('#test/support/workspace.ts');

const room = await openWorkspace('visitors');
beforeAll(() => shortenPauses());
afterEach(() => table.heal());
afterAll(() => table.stop());

const stored = async () => ({
  customers: (await storedRecords(room.workspaceId, 'customer')).map(({ id }) => id),
  conversations: (await storedRecords(room.workspaceId, 'conversation')).map(({ id }) => id),
});
let number = 0;
const newCustomer = () => ({ externalId: `new-${++number}`, email: `new-${number}@example.com` });
const openings = {
  'of an anonymous visitor': () => room.session({ channelIdentifier: website }),
  'of a visitor': () => room.session({ channelIdentifier: website, customer: newCustomer() }),
  'of a customer': () => room.open({ channelId: 'ch_web', customer: newCustomer() }),
  'of a customer, under a key': () =>
    room.open({ channelId: 'ch_web', customer: newCustomer() }, { 'idempotency-key': `key ${number}` }),
  'of a customer in another': () => room.open({ parentId: 'conv_bare', kind: 'order', customer: newCustomer() }),
};

it.each(Object.entries(openings))(
  'a conversation %s leaves no customer behind if it is not stored',
  async (_, open) => {
    const before = await stored();
    table.plan('TransactWriteItems', { kind: 'error', type: 'ThrottlingException', status: 400 }, undefined, 'conv_');
    expect((await open()).status).toBe(503);
    table.heal();
    expect(await stored()).toEqual(before);
  },
);

it.each(Object.entries(openings))('a conversation %s is stored one time if the answer is lost', async (_, open) => {
  const before = await stored();
  table.plan('TransactWriteItems', { kind: 'reset after' }, 1, 'conv_');
  const { status, json } = await open();
  expect(status).toBe(201);
  const after = await stored();
  const id = json.conversationId ?? json.id;
  expect(after.conversations.filter((id) => !before.conversations.includes(id))).toEqual([id]);
  expect(after.customers.filter((id) => !before.customers.includes(id))).toEqual([json.customerId]);
});

it('a customer that a concurrent call stores becomes the customer of the conversation', async () => {
  const customer = newCustomer();
  const before = await stored();
  const meanwhile = () => room.open({ channelId: 'ch_web', customer });
  table.plan('BatchGetItem', { kind: 'late', meanwhile }, 1, 'customer-changes');
  const answers = await Promise.all(Array.from({ length: 5 }, meanwhile));
  expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  const after = await stored();
  expect(after.customers).toHaveLength(before.customers.length + 1);
  expect(after.conversations).toHaveLength(before.conversations.length + 1);
});

it('a channel whose name alone an interrupted import has stored is completed under its id', async () => {
  const name = channelName({ type: 'website', identifier: 'half.example' }) ?? '';
  await testTable().put({ ...keys.slug(room.workspaceId, 'channel', name), id: 'ch_half' });
  const opening = { channelIdentifier: 'half.example', customer: newCustomer() };
  expect((await room.open(opening)).json.channelId).toBe('ch_half');
  expect((await storedRecords(room.workspaceId, 'channel')).map(({ id }) => id)).toContain('ch_half');
});

it('a channel that is removed while its website is looked up is made anew, and keeps one record for its name', async () => {
  const channel = { id: 'ch_gone', type: 'website', identifier: 'gone.example', name: null, agentId: null };
  const change = (record: object | null) =>
    applyChange(
      testTable(),
      room,
      { kind: 'channel', id: channel.id, record: record as never },
      { now: new Date().toISOString() },
    );
  await change(channel);
  table.plan('BatchGetItem', { kind: 'late', meanwhile: () => change(null) }, 1, channel.identifier);
  const { status, json } = await room.open({ channelIdentifier: channel.identifier, customer: newCustomer() });
  const { channelId } = json;
  const ofHost = (await storedRecords(room.workspaceId, 'channel')).filter((it) => it['identifier'] === 'gone.example');
  expect([status, ofHost.map(({ id }) => id)]).toEqual([201, [channelId]]);
  expect(channelId).not.toBe(channel.id);
});

it('no channel is made while an import holds channels, because an import stores names without a look at others', async () => {
  const made = async () => (await storedRecords(room.workspaceId, 'channel')).map((channel) => channel['identifier']);
  const lease = { ...keys.importLease(room.workspaceId), owner: 'x', renewal: 'y' };
  const openDuring = async (kinds: readonly string[], channelIdentifier: string) => {
    await testTable().put({ ...lease, kinds, renewedAt: new Date().toISOString() });
    return (await room.open({ channelIdentifier, customer: newCustomer() })).status;
  };
  expect(await openDuring(['channel', 'conversation'], 'held.example')).toBe(503);
  expect(await made()).not.toContain('held.example');
  expect(await openDuring(['form'], 'free.example')).toBe(201);
  expect(await made()).toContain('free.example');
});
