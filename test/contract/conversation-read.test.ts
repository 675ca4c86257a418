import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('talk');
const mark = (messageId: unknown, id = 'conv_1') => room.send('POST', `/${id}/read`, { messageId });

it('POST /connect/conversations/{id}/read moves the read mark forward only, and returns its position', async () => {
  const { status, json } = await mark('msg_2');
  expect([status, json]).toEqual([200, { messageId: 'msg_2' }]);
  expect((await mark('msg_1')).json).toEqual({ messageId: 'msg_2' });
  expect((await mark('msg_2')).json).toEqual({ messageId: 'msg_2' });
  expect((await mark('msg_3')).json).toEqual({ messageId: 'msg_3' });
});

it('POST /connect/conversations/{id}/read keeps the furthest of several concurrent marks', async () => {
  const { json } = await room.open({ channelId: 'ch_2', customerId: 'cus_2' });
  const ids: string[] = [];
  for (let number = 0; number < 6; number++) {
    ids.push((await room.say(json.id, { senderType: 'customer', text: `${number}` })).json.id);
  }
  await Promise.all(ids.toReversed().map((id) => mark(id, json.id)));
  expect((await mark(ids[0], json.id)).json).toEqual({ messageId: ids[5] });
});

it('POST /connect/conversations/{id}/read keeps a mark for each member', async () => {
  await mark('msg_3');
  const body = { messageId: 'msg_1' };
  expect((await call(`POST ${conversations}/conv_1/read`, { key: room.keys.other, body })).json).toEqual(body);
});

it('POST /connect/conversations/{id}/read returns 400 for a message of another conversation, and 404 for an absent conversation', async () => {
  for (const id of ['msg_bare', 'msg_9', 'a#b']) {
    expect(await mark(id)).toMatchObject({
      status: 400,
      json: { code: 'validation_failed', errors: [{ path: 'messageId', code: 'not_found' }] },
    });
  }
  expect(await mark(5)).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
  expect((await mark('msg_1', 'conv_9')).status).toBe(404);
  await openWorkspace('talk', ({ messaging }) => messaging.conversations.push({ id: 'conv_theirs' }));
  expect((await mark('msg_1', 'conv_theirs')).status).toBe(404);
});

it('POST /connect/conversations/{id}/read requires the engage permission', async () => {
  const body = { messageId: 'msg_1' };
  expect((await call(`POST ${conversations}/conv_1/read`, { key: room.keys.reader, body })).status).toBe(403);
  expect((await call(`POST ${conversations}/conv_1/read`, { body })).status).toBe(401);
});
