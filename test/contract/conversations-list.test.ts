import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { conversations, message } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

type Shown = { readonly id: string };

const timeAt = (day: number) => `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const talk = (id: string, day: number, rest: object = {}) => ({ id, createdAt: timeAt(day), ...rest });
const room = await openWorkspace('talk', ({ messaging }) => {
  messaging.conversations = [
    talk('a', 1, {
      channelId: 'ch_1',
      customerId: 'cus_1',
      status: 'pending',
      assignee: { type: 'member', id: 'mem_1' },
    }),
    talk('b', 2, { channelId: 'ch_2', customerId: 'cus_1', assignee: { type: 'agent', id: 'agent_1' } }),
    talk('c', 2, { kind: 'topic', parentId: 'a' }),
    talk('d', 4, { channelId: 'ch_1', customerId: 'cus_2', status: 'resolved' }),
    talk('e', 5, { status: 'snoozed' }),
  ];
  messaging.messages = [
    message('m_1', 1, { conversationId: 'a', createdAt: timeAt(20) }),
    message('m_2', 1, { conversationId: 'a', createdAt: timeAt(21), text: `${'🍕'.repeat(120)}!` }),
    message('m_3', 1, { conversationId: 'a', createdAt: timeAt(22), senderType: 'member', text: '' }),
    message('m_4', 1, { conversationId: 'd', createdAt: timeAt(3), text: '🍕'.repeat(121) }),
  ];
});
const list = (query = '', of: Workspace<'talk'> = room) => of.send('GET', query);
const ids = async (query = '') => (await list(query)).json.data.map(({ id }: Shown) => id);

describe('the list of conversations', () => {
  it('is ordered by newest activity, ties by id, and shows the last message and the unread count', async () => {
    const { status, json } = await list();
    expect([status, json.next, json.data.map(({ id }: Shown) => id)]).toEqual([200, null, ['a', 'e', 'd', 'c', 'b']]);
    expect(json.data[0]).toEqual({
      ...(await room.send('GET', '/a')).json,
      lastMessageAt: timeAt(22),
      lastMessage: '',
      unreadCount: 2,
    });
    expect(json.data[1]).toMatchObject({ lastMessageAt: null, lastMessage: null, unreadCount: 0 });
    expect(json.data[2].lastMessage).toBe('🍕'.repeat(120));
  });

  it.each([
    ['?status=pending', ['a']],
    ['?channelId=ch_1', ['a', 'd']],
    ['?customerId=cus_1', ['a', 'b']],
    ['?assigneeId=agent_1', ['b']],
    ['?assigneeType=member', ['a']],
    ['?assigneeType=none', ['e', 'd', 'c']],
    ['?kind=topic', ['c']],
    ['?kind=main', ['a', 'e', 'd', 'b']],
    ['?parentId=a', ['c']],
    ['?channelId=ch_1&customerId=cus_2', ['d']],
    ['?channelId=nothing', []],
    ['?unread=true', ['a', 'd']],
    ['?unread=false', ['e', 'c', 'b']],
  ])('contains with %s: %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it.each(['', '&kind=main', '&unread=false', '&assigneeType=none'])(
    'is complete when it is walked by cursor%s',
    async (filter) => {
      const whole = await ids(`?limit=100${filter}`);
      for (const limit of [1, 2, 3, whole.length]) {
        const walked: string[] = [];
        for (let cursor = ''; ; ) {
          const { json } = await list(`?limit=${limit}${filter}${cursor}`);
          walked.push(...json.data.map(({ id }: Shown) => id));
          if (json.next === null) break;
          expect(json.data).toHaveLength(limit);
          cursor = `&cursor=${encodeURIComponent(json.next)}`;
        }
        expect(walked).toEqual(whole);
      }
    },
  );

  it('answers 304 while nothing has changed', async () => {
    const { headers } = await list();
    const tag = { 'if-none-match': headers['etag'] ?? '' };
    expect((await room.send('GET', '', undefined, tag)).status).toBe(304);
  });
});

describe('a workspace of a test', () => {
  it('shows new messages in its list immediately', async () => {
    const own = await openWorkspace('talk', ({ messaging }) => {
      messaging.conversations = [talk('x', 1, { customerId: 'cus_1' }), talk('y', 2, { customerId: 'cus_1' })];
      messaging.messages = [];
    });
    const shown = async () =>
      (await list('', own)).json.data.map((conversation: { id: string; status: string; unreadCount: number }) => [
        conversation.id,
        conversation.status,
        conversation.unreadCount,
      ]);
    expect(await shown()).toEqual([
      ['y', 'open', 0],
      ['x', 'open', 0],
    ]);
    await own.send('PATCH', '/x', { status: 'resolved' });
    expect((await shown())[1]).toEqual(['x', 'resolved', 0]);
    const sent = (await own.say('x', { senderType: 'customer', text: 'one' })).json;
    await own.say('x', { senderType: 'member', text: 'two' });
    const third = (await own.say('x', { senderType: 'customer', text: 'three' })).json;
    expect((await shown())[0]).toEqual(['x', 'open', 2]);
    await own.send('POST', '/x/read', { messageId: sent.id });
    expect((await shown())[0]).toEqual(['x', 'open', 1]);
    const other = await call(`GET ${conversations}?unread=true`, { key: own.keys.other });
    expect(other.json.data).toMatchObject([{ id: 'x', unreadCount: 2, lastMessage: 'three' }]);
    await own.send('POST', '/x/read', { messageId: third.id });
    expect((await shown())[0]).toEqual(['x', 'open', 0]);
    const { json } = await own.open({ channelId: 'ch_1', customerId: 'cus_2' });
    expect((await shown())[0]).toEqual([json.id, 'open', 0]);
  });

  it('counts unread messages by reading one of them, and exactly after an import has changed messages', async () => {
    const own = await openWorkspace('talk', ({ messaging }) => {
      messaging.conversations = [talk('x', 1, { customerId: 'cus_1' })];
      messaging.messages = [1, 2, 3].map((day) => message(`m_${day}`, day, { conversationId: 'x' }));
    });
    const say = async (senderType: string) =>
      (await own.say('x', { senderType, text: 'x'.repeat(20_000) })).json.id as string;
    const read = (messageId: string) => own.send('POST', '/x/read', { messageId });
    const unread = async () => (await list('', own)).json.data[0].unreadCount;
    const unitsOfList = async () => {
      const lines = (await capturedLines(unread)).map((line) => JSON.parse(line));
      return lines.find(({ dynamodb }) => dynamodb !== undefined).dynamodb.readUnits;
    };
    await read('m_2');
    expect(await unread()).toBe(1);
    const first = await say('customer');
    for (let number = 0; number < 20; number++) await say(number % 4 === 0 ? 'member' : 'customer');
    expect(await unread()).toBe(17);
    await read(first);
    expect(await unread()).toBe(15);
    // One message has 5 units.
    expect(await unitsOfList()).toBeLessThan(12);
    own.document.messaging.messages = [
      message('m_1', 1, { conversationId: 'x', senderType: 'member' }),
      message('m_4', 4, { conversationId: 'x' }),
      message('m_9', 28, { conversationId: 'x', createdAt: '9999-01-01T00:00:00.000Z' }),
    ];
    await load(own.document);
    expect(await unread()).toBe(16);
    const second = await say('customer');
    expect(await unread()).toBe(17);
    await read(second);
    await say('customer');
    expect(await unread()).toBe(1);
    expect(await unitsOfList()).toBeLessThan(12);
  });

  it('misses and repeats no conversation in a walk while conversations become active', async () => {
    const own = await openWorkspace('talk', ({ messaging }) => {
      messaging.conversations = Array.from({ length: 20 }, (_, index) =>
        talk(`t_${index}`, index + 1, { customerId: 'cus_1' }),
      );
      messaging.messages = [];
    });
    const active = new Set(['t_3', 't_9', 't_15']);
    const walked: string[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await list(`?limit=4${cursor}`, own);
      walked.push(...json.data.map(({ id }: Shown) => id));
      if (json.next === null) break;
      cursor = `&cursor=${encodeURIComponent(json.next)}`;
      await Promise.all([...active].map((id) => own.say(id, { senderType: 'customer', text: 'Hello.' })));
    }
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((id) => !active.has(id))).toHaveLength(17);
  });
});

describe('the list of conversations is refused', () => {
  it.each([
    ['status', '?status=closed', 'not_allowed'],
    ['kind', '?kind=other', 'not_allowed'],
    ['assigneeType', '?assigneeType=team', 'not_allowed'],
    ['limit', '?limit=0', 'min'],
    ['cursor', '?cursor=nothing', 'format'],
    ['status', '?status=open&status=open', 'repeated'],
  ])('the list of conversations is refused for an invalid %s: %s', async (path, query, code) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      json: { code: 'invalid_query', errors: [{ path, code }] },
    });
  });

  it('the list of conversations is refused with the cursor of another query or workspace', async () => {
    const { next } = (await list('?limit=1')).json;
    const cursor = `cursor=${encodeURIComponent(next)}`;
    expect((await list(`?limit=2&${cursor}`)).status).toBe(200);
    expect((await list(`?limit=1&kind=main&${cursor}`)).status).toBe(400);
    expect((await list(`?${cursor}`, await openWorkspace('talk'))).status).toBe(400);
  });

  it('the list of conversations is refused without the read permission', async () => {
    expect((await call(`GET ${conversations}`, { key: room.keys.reader })).status).toBe(200);
    expect((await call(`GET ${conversations}`, { key: `weak-${room.workspaceId}` })).status).toBe(403);
    expect((await call(`GET ${conversations}`)).status).toBe(401);
  });
});
