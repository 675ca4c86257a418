import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { itLong } from '#test/support/long-run.ts';
import { conversations, message } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, load } from '#test/support/world.ts';

type Shown = { readonly id: string; readonly createdAt: string; readonly text: string };

const room = await openWorkspace('talk', ({ messaging }) => {
  messaging.conversations.push({ id: 'conv_long', customerId: 'cus_1' });
  for (let number = 1; number <= 25; number++) {
    // Every two messages share a time, and their ids do not sort by time.
    const id = `${number % 2 ? 'b' : 'a'}_${25 - number}`;
    messaging.messages.push(message(id, Math.floor(number / 2), { conversationId: 'conv_long' }));
  }
  messaging.messages.push(message('msg_theirs', 1, { conversationId: 'conv_bare' }));
});
const path = (id: string, query = '') => `/${id}/messages${query}`;
const list = (id: string, query = '', headers = {}) => room.send('GET', path(id, query), undefined, headers);
const ids = (answer: { json: { data: readonly Shown[] } }) => answer.json.data.map(({ id }) => id);
const manage = (request: string, body?: object) =>
  call(request.replace(' ', ' /api/v1/manage/'), { key: room.key, ...(body && { body }) });
const expectOk = ({ status }: { status: number }) => expect(status).toBeLessThan(300);
const removal = { method: 'DELETE', kind: 'attachments', id: 'att_file' };
const hello = { senderType: 'customer', text: 'Hello.' };

const inOrder = [...room.document.messaging.messages]
  .filter(({ conversationId }: { conversationId: string }) => conversationId === 'conv_long')
  .sort((a: Shown, b: Shown) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1))
  .map(({ id }: Shown) => id);

describe('the messages of a conversation', () => {
  it('have the newest page by default, oldest first, with the state of the conversation', async () => {
    const answer = await list('conv_long');
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual(inOrder.slice(-20));
    expect(answer.json).toMatchObject({ hasMore: true, status: 'open', assigneeType: null });
    expect(Object.keys(answer.json)).toEqual(['data', 'hasMore', 'status', 'assigneeType']);
    expect(answer.json.data[0]).toEqual({
      conversationId: 'conv_long',
      senderType: 'customer',
      senderId: 'cus_1',
      channelId: null,
      attachments: [],
      id: inOrder[5],
      text: `This is ${inOrder[5]}.`,
      createdAt: expect.any(String),
    });
  });

  it.each([1, 7, 20, 24, 25, 100])('are walked in both directions by pages of %d', async (limit) => {
    const back: string[][] = [];
    for (let before = ''; ; ) {
      const answer = await list('conv_long', `?limit=${limit}${before}`);
      back.unshift(ids(answer));
      if (!answer.json.hasMore) break;
      before = `&before=${ids(answer)[0]}`;
    }
    expect(back.flat()).toEqual(inOrder);
    const forth = [inOrder[0] ?? ''];
    for (let more = true; more; ) {
      const answer = await list('conv_long', `?limit=${limit}&after=${forth.at(-1)}`);
      forth.push(...ids(answer));
      more = answer.json.hasMore;
    }
    expect(forth).toEqual(inOrder);
  });

  it('are none in an empty conversation', async () => {
    expect((await list('conv_empty')).json).toEqual({ data: [], hasMore: false, status: 'open', assigneeType: null });
  });

  it('have the assignee’s type and the status of the conversation', async () => {
    await room.send('PATCH', '/conv_empty', { status: 'snoozed', assignee: { type: 'agent', id: 'agent_1' } });
    expect((await list('conv_empty')).json).toMatchObject({ status: 'snoozed', assigneeType: 'agent' });
  });

  itLong('are at most as many as an answer may have', async () => {
    const text = '🍕'.repeat(75_000);
    // Its own workspace, because other tests import theirs several times.
    const big = await openWorkspace('talk', ({ messaging }) => {
      messaging.conversations.push({ id: 'conv_big', customerId: 'cus_1' });
      for (let number = 1; number <= 20; number++) {
        messaging.messages.push(message(`big_${number}`, number, { conversationId: 'conv_big', text }));
      }
    });
    const pageOf = (query: string) => big.send('GET', path('conv_big', query));
    const newest = await pageOf('?limit=100');
    expect(newest.json.hasMore).toBe(true);
    const older = await pageOf(`?limit=100&before=${ids(newest)[0]}`);
    expect([...ids(older), ...ids(newest)]).toHaveLength(20);
    const after = await pageOf(`?limit=100&after=${ids(older)[0]}`);
    expect([after.json.hasMore, ids(after)[0]]).toEqual([true, ids(older)[1]]);
  });
});

describe('the ETag of a page', () => {
  it('answers 304 until there is a new message, another status or another assignee', async () => {
    const { json } = await room.open({ channelId: 'ch_2', customerId: 'cus_2' });
    const first = (await room.say(json.id, hello)).json;
    const query = `?after=${first.id}`;
    let tag = '';
    const poll = async () => {
      const answer = await list(json.id, query, { 'if-none-match': tag });
      tag = answer.headers['etag'] ?? '';
      return answer.status === 304 ? 304 : [ids(answer).length, answer.json.status, answer.json.assigneeType];
    };
    expect([await poll(), await poll()]).toEqual([[0, 'open', null], 304]);
    await room.say(json.id, hello);
    expect([await poll(), await poll()]).toEqual([[1, 'open', null], 304]);
    await room.send('PATCH', `/${json.id}`, { assignee: { type: 'member', id: 'mem_3' } });
    expect([await poll(), await poll()]).toEqual([[1, 'open', 'member'], 304]);
    await room.send('PATCH', `/${json.id}`, { status: 'pending' });
    expect([await poll(), await poll()]).toEqual([[1, 'pending', 'member'], 304]);
    await room.send('POST', `/${json.id}/read`, { messageId: first.id });
    expect(await poll()).toBe(304);
  });

  it('differs by query, workspace and conversation', async () => {
    const other = await openWorkspace('talk');
    const tags = await Promise.all([
      ...['', '?limit=19', `?after=${inOrder[0]}`, `?before=${inOrder[9]}`].map((query) => list('conv_long', query)),
      list('conv_1'),
      other.send('GET', path('conv_1')),
    ]);
    expect(new Set(tags.map(({ headers }) => headers['etag'])).size).toBe(tags.length);
  });

  it('changes with an import of messages', async () => {
    const { headers } = await list('conv_long');
    const tag = { 'if-none-match': headers['etag'] ?? '' };
    await load(room.document);
    expect((await list('conv_long', '', tag)).status).toBe(304);
    const document = structuredClone(room.document);
    document.messaging.messages.push(message('msg_late', 59, { conversationId: 'conv_long' }));
    await load(document);
    const answer = await list('conv_long', '', tag);
    expect([answer.status, ids(answer).at(-1)]).toEqual([200, 'msg_late']);
    expect((await list('conv_long', '', { 'if-none-match': answer.headers['etag'] ?? '' })).status).toBe(304);
  });

  it.each<[string, (document: Document) => Promise<unknown> | unknown, number]>([
    ['is deleted', () => manage('DELETE attachments/att_file'), 0],
    ['is renamed by an import', ({ attachments }) => void Object.assign(attachments.at(-1), { name: 'new.pdf' }), 1],
    ['is pruned', ({ attachments }) => void attachments.pop(), 0],
    ['is deleted with other records', () => manage('POST changes', { changes: [removal] }), 0],
  ])('changes when a file %s, in every conversation that shows it', async (_, change, left) => {
    const { version, workspace, attachments } = room.document;
    const [{ s3Key, ...file }] = attachments;
    const own = { ...file, id: 'att_file', name: 'old.pdf', s3Key: s3Key.replace('att_1', 'att_file') };
    const document = { version, workspace, attachments: [...attachments, own] };
    await load(document);
    const places = ['conv_empty', 'conv_bare'];
    for (const id of places) await room.say(id, { senderType: 'member', attachments: ['att_file'] });
    const before = await Promise.all(places.map((id) => list(id)));
    const made = change(document);
    await (made instanceof Promise ? made.then(expectOk) : load(document, { prune: true }));
    for (const [index, id] of places.entries()) {
      const tag = before[index]?.headers['etag'] ?? '';
      const after = await list(id, '', { 'if-none-match': tag });
      expect([after.status, after.json?.data?.at(-1).attachments.length]).toEqual([200, left]);
      expect(after.headers['etag']).not.toBe(tag);
    }
  });
});

it('the tag of a page changes when an import brings a file back', async () => {
  const { version, workspace, attachments } = room.document;
  await room.say('conv_empty', { senderType: 'member', attachments: ['att_1'] });
  await manage('DELETE attachments/att_1').then(expectOk);
  const before = await list('conv_empty');
  expect(before.json.data.at(-1).attachments).toEqual([]);
  await load({ version, workspace, attachments });
  const after = await list('conv_empty', '', { 'if-none-match': before.headers['etag'] ?? '' });
  expect([after.status, after.json?.data?.at(-1).attachments.length]).toEqual([200, 1]);
});

describe('a list of messages is refused', () => {
  it.each([
    ['for both directions', `?after=${inOrder[0]}&before=${inOrder[1]}`, 'before', 'not_allowed'],
    ['after an absent message', '?after=msg_9', 'after', 'not_found'],
    ['after a malformed id', '?after=a%23b', 'after', 'not_found'],
    ['before a message of another conversation', '?before=msg_1', 'before', 'not_found'],
    ['for no messages', '?limit=0', 'limit', 'min'],
    ['for more than 100', '?limit=101', 'limit', 'max'],
  ])('%s', async (_, query, errorPath, code) => {
    expect(await list('conv_long', query)).toMatchObject({
      status: 400,
      json: { code: 'invalid_query', errors: [{ path: errorPath, code }] },
    });
  });

  it('a list of messages is refused with 404 for an absent conversation and one of another workspace', async () => {
    await openWorkspace('talk', ({ messaging }) => messaging.conversations.push({ id: 'conv_theirs' }));
    for (const id of ['conv_9', 'conv_theirs']) expect((await list(id)).status).toBe(404);
  });

  it('a list of messages is refused without the read permission', async () => {
    const get = (key: string) => call(`GET ${conversations}/conv_1/messages`, { key });
    expect((await get(room.keys.reader)).status).toBe(200);
    expect((await get(`alone-${room.workspaceId}`)).status).toBe(403);
  });
});
