import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported, storedRecords } from '#test/support/document-text.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const room = await openWorkspace('talk', ({ messaging }) => {
  messaging.conversations.push(
    { id: 'conv_sub', kind: 'topic', parentId: 'conv_1' },
    { id: 'conv_open', channelId: 'ch_1' },
    { id: 'conv_future', channelId: 'ch_1', customerId: 'cus_2' },
    { id: 'conv_ahead', channelId: 'ch_1', customerId: 'cus_2', createdAt: '2999-01-01T00:00:00.000Z' },
    { id: 'conv_last', channelId: 'ch_1', customerId: 'cus_2', createdAt: '9999-12-31T23:59:59.999Z' },
  );
  messaging.messages.push({
    id: 'zzz_imported',
    conversationId: 'conv_future',
    senderType: 'member',
    senderId: 'mem_1',
    text: 'From a clock that is ahead.',
    createdAt: '2999-01-01T00:00:00.000Z',
  });
});
const hello = { senderType: 'customer', text: 'Hello.' };
const messages = async (id = 'conv_1') => (await room.send('GET', `/${id}/messages?limit=100`)).json.data;
const count = async () => (await storedRecords(room.workspaceId, 'message')).length;

describe('sending a message', () => {
  it('answers 201 with the stored message', async () => {
    const { status, json } = await room.say('conv_1', { ...hello, attachments: ['att_2', 'att_1'] });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^msg_t[0-9a-z]{31}$/),
      conversationId: 'conv_1',
      senderType: 'customer',
      senderId: 'cus_1',
      channelId: 'ch_1',
      text: 'Hello.',
      attachments: [2, 1].map((number) => ({
        id: `att_${number}`,
        name: `menu ${number}.pdf`,
        type: 'application/pdf',
        size: 10 * number,
        s3Key: `workspaces/${room.workspaceId}/drive/messaging/2026-01/att_${number}/menu.pdf`,
        url: expect.stringMatching(/\/api\/v1\/connect\/assets\/workspaces\//),
      })),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await messages()).at(-1)).toEqual(json);
  });

  it('sets the sender to the key’s member or the conversation’s customer', async () => {
    const by = async (body: object) => (await room.say('conv_1', { text: 'x', ...body })).json;
    expect(await by({ senderType: 'member' })).toMatchObject({ senderType: 'member', senderId: 'mem_1' });
    expect(await by({ senderType: 'member', senderId: 'mem_1' })).toMatchObject({ senderId: 'mem_1' });
    expect(await by({ senderType: 'customer', senderId: 'cus_1' })).toMatchObject({ senderId: 'cus_1' });
    expect(await by({ senderType: 'customer', senderId: null })).toMatchObject({ senderId: 'cus_1' });
  });

  it('uses the channel of the conversation, or else of its parent, or else none', async () => {
    expect((await room.say('conv_sub', { senderType: 'member', text: 'x' })).json.channelId).toBe('ch_1');
    expect((await room.say('conv_bare', { senderType: 'member', text: 'x' })).json.channelId).toBeNull();
  });

  it('attaches its customer to a conversation without one', async () => {
    expect(await room.say('conv_open', hello)).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'senderId', code: 'required' }] },
    });
    expect(await room.say('conv_open', { ...hello, senderId: 'cus_9' })).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'senderId', code: 'not_found' }] },
    });
    expect((await room.say('conv_open', { ...hello, senderId: 'cus_2' })).status).toBe(201);
    expect((await room.send('GET', '/conv_open')).json.customerId).toBe('cus_2');
    expect((await room.open({ channelId: 'ch_1', customerId: 'cus_2' })).status).toBe(200);
  });

  it.each([
    ['resolved', 'open'],
    ['snoozed', 'open'],
    ['pending', 'pending'],
    ['open', 'open'],
  ])(
    'sending a message from a customer sets a %s conversation to %s; from a member it changes nothing',
    async (status, after) => {
      await room.send('PATCH', '/conv_1', { status, assignee: null });
      const before = await room.send('GET', '/conv_1');
      await room.say('conv_1', { senderType: 'member', text: 'x' });
      expect((await room.send('GET', '/conv_1')).headers['etag']).toBe(before.headers['etag']);
      await room.say('conv_1', hello);
      const now = await room.send('GET', '/conv_1');
      expect(now.json.status).toBe(after);
      expect(now.headers['etag'] === before.headers['etag']).toBe(status === after);
      expect(now.json.updatedAt === before.json.updatedAt).toBe(status === after);
    },
  );

  it('adds the message after all others, even after one with a later time', async () => {
    const first = (await room.say('conv_future', hello)).json;
    const second = (await room.say('conv_future', hello)).json;
    expect(first.createdAt > '2999-01-01T00:00:00.000Z').toBe(true);
    expect(second.createdAt > first.createdAt && second.id > first.id).toBe(true);
    expect((await messages('conv_future')).map(({ id }: { id: string }) => id)).toEqual([
      'zzz_imported',
      first.id,
      second.id,
    ]);
  });

  it('gives the first message no time before that of the conversation, so that activity never goes back', async () => {
    const first = (await room.say('conv_ahead', hello)).json;
    expect(first.createdAt).toBe('2999-01-01T00:00:00.000Z');
  });

  it('keeps the order of messages that all have the latest possible time', async () => {
    const sent: string[] = [];
    for (let index = 0; index < 6; index++) sent.push((await room.say('conv_last', hello)).json.id);
    expect((await messages('conv_last')).map(({ id }: { id: string }) => id)).toEqual(sent);
  });

  it('repeats its first answer for an Idempotency-Key, and stores one message', async () => {
    const headers = { 'idempotency-key': 'say-1' };
    const before = await count();
    const [first, second] = await Promise.all([1, 2].map(() => room.say('conv_1', hello, headers)));
    const third = await call(`POST ${conversations}/conv_1/messages`, { key: room.keys.other, headers, body: hello });
    expect([first?.status, second?.status, third.status]).toEqual([201, 201, 201]);
    expect([second?.json, third.json]).toEqual([first?.json, first?.json]);
    expect(await count()).toBe(before + 1);
    expect((await room.say('conv_1', { ...hello, text: 'Other' }, headers)).status).toBe(422);
    expect((await room.say('conv_sub', { senderType: 'member', text: 'x' }, headers)).status).toBe(201);
  });

  it('leaves its Idempotency-Key unused if it is refused', async () => {
    const headers = { 'idempotency-key': 'say-2' };
    expect((await room.say('conv_1', { ...hello, senderId: 'cus_2' }, headers)).status).toBe(403);
    expect((await room.say('conv_1', hello, headers)).status).toBe(201);
  });

  it('accepts 20,000 characters of any size, and files without a text', async () => {
    const text = '🍕'.repeat(20_000);
    expect((await room.say('conv_1', { ...hello, text })).json.text).toBe(text);
    for (const blank of [{}, { text: null }, { text: ' \n' }]) {
      const body = { senderType: 'customer', attachments: ['att_1'], ...blank };
      expect((await room.say('conv_1', body)).json).toMatchObject({ text: '', attachments: [{ id: 'att_1' }] });
    }
  });
});

describe('sending a message is refused', () => {
  it.each<[string, object, number, string, string, string]>([
    ['without a text', { senderType: 'customer' }, 400, 'invalid_body', 'text', 'required'],
    ['with a blank one', { senderType: 'customer', text: ' \n' }, 400, 'validation_failed', 'text', 'min_length'],
    [
      'with an empty list of files instead',
      { senderType: 'customer', attachments: [] },
      400,
      'invalid_body',
      'text',
      'required',
    ],
    ['with 20,001 characters', { ...hello, text: 'x'.repeat(20_001) }, 400, 'validation_failed', 'text', 'max_length'],
    ['with a lone surrogate', { ...hello, text: '\ud83c' }, 400, 'validation_failed', 'text', 'format'],
    ['without a sender type', { text: 'x' }, 400, 'invalid_body', 'senderType', 'required'],
    ['as an agent', { ...hello, senderType: 'agent' }, 400, 'validation_failed', 'senderType', 'not_allowed'],
    ['as the system', { ...hello, senderType: 'system' }, 400, 'validation_failed', 'senderType', 'not_allowed'],
    ['with another member of the body', { ...hello, id: 'x' }, 400, 'invalid_body', 'id', 'unknown_field'],
    ['as another customer', { ...hello, senderId: 'cus_2' }, 403, 'permission_denied', '', ''],
    ['as an absent customer', { ...hello, senderId: 'cus_9' }, 403, 'permission_denied', '', ''],
    ['as another member', { senderType: 'member', text: 'x', senderId: 'mem_3' }, 403, 'permission_denied', '', ''],
    [
      'with an absent file',
      { ...hello, attachments: ['att_1', 'att_9'] },
      400,
      'validation_failed',
      'attachments.1',
      'not_found',
    ],
    ['with a malformed id', { ...hello, attachments: ['a#b'] }, 400, 'validation_failed', 'attachments.0', 'not_found'],
    [
      'with a file twice',
      { ...hello, attachments: ['att_1', 'att_1'] },
      400,
      'validation_failed',
      'attachments.1',
      'duplicate',
    ],
    [
      'with 11 files',
      { ...hello, attachments: Array.from({ length: 11 }, (_, n) => `${n}`) },
      400,
      'validation_failed',
      'attachments',
      'max_items',
    ],
    // jest would take a named parameter that a row lacks for a callback, and wait for it.
  ])('%s', async (_, body, status, code, ...[path, issue]) => {
    const before = await count();
    const answer = await room.say('conv_1', body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    if (path) expect(answer.json.errors).toContainEqual(expect.objectContaining({ path, code: issue }));
    expect(await count()).toBe(before);
  });

  it('an array as body of a message is refused with no other error', async () => {
    const { status, json } = await room.say('conv_1', []);
    expect([status, json.code, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'invalid_body',
      [''],
    ]);
  });

  it('the refusal of a message names the first of body, conversation, sender and attachments', async () => {
    const wrong = { text: 'x', senderType: 'customer', senderId: 'cus_2', attachments: ['att_9'] };
    expect((await room.say('conv_9', { ...wrong, text: 5 })).status).toBe(400);
    expect((await room.say('conv_9', wrong)).status).toBe(404);
    expect((await room.say('conv_1', wrong)).status).toBe(403);
    expect((await room.say('conv_1', { ...wrong, senderId: 'cus_1' })).status).toBe(400);
  });

  it('sending a message is refused for a conversation or files of another workspace', async () => {
    const other = await openWorkspace('talk', ({ messaging, attachments }) => {
      messaging.conversations.push({ id: 'conv_theirs', customerId: 'cus_1' });
      attachments.push({ ...attachments[0], id: 'att_theirs', s3Key: attachments[0].s3Key.replace('att_1', 'att_x') });
    });
    expect((await other.say('conv_theirs', { ...hello, attachments: ['att_theirs'] })).status).toBe(201);
    expect((await room.say('conv_theirs', hello)).status).toBe(404);
    expect((await room.say('conv_1', { ...hello, attachments: ['att_theirs'] })).status).toBe(400);
  });

  it('sending a message is refused without the engage permission', async () => {
    const path = `POST ${conversations}/conv_1/messages`;
    expect((await call(path, { key: room.keys.reader, body: hello })).status).toBe(403);
    expect((await call(path, { key: `weak-${room.workspaceId}`, body: hello })).status).toBe(403);
    expect((await call(path, { body: hello })).status).toBe(401);
  });
});

it('an export contains the messages, and its import changes nothing', async () => {
  const document = await exported(room.workspaceId);
  const before = await messages();
  const { changed } = await load(document);
  expect(changed).toBe(0);
  expect(await messages()).toEqual(before);
  const next = (await room.say('conv_1', hello)).json;
  expect(next.id > before.at(-1).id && next.createdAt > before.at(-1).createdAt).toBe(true);
});
