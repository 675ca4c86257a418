import { afterAll, expect, it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('talk');
const proxy = await FaultProxy.start();
const containers = await Containers.start(1, proxy.url);
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

it.each([
  ['without an Idempotency-Key', {}],
  ['with an Idempotency-Key', { 'idempotency-key': 'lost' }],
])(
  'a message %s is stored one time if its response is lost and another message comes before the retry',
  async (how, headers) => {
    const mine = `mine ${how}`;
    const other = `other ${how}`;
    // Another process sends the other message, without the proxy.
    const meanwhile = async () => {
      expect((await room.say('conv_1', { senderType: 'member', text: other })).status).toBe(201);
    };
    proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1, mine);
    // The retry meets the lock of the other message.
    const more = { CancellationReasons: [{ Code: 'TransactionConflict' }] };
    proxy.plan(
      'TransactWriteItems',
      { kind: 'error', type: 'TransactionCanceledException', status: 400, more },
      1,
      mine,
    );
    const body = { senderType: 'member', text: mine };
    const request = `POST ${conversations}/conv_1/messages`;
    const answer = await containers.at(0).call(request, { key: room.key, body, headers });
    expect(answer.status).toBe(201);
    const { json } = await room.send('GET', '/conv_1/messages?limit=100');
    const texts = json.data.map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text === mine || text === other)).toEqual([mine, other]);
    expect(json.data.find(({ text }: { text: string }) => text === mine).id).toBe(answer.json.id);
  },
);
