import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const room = await openWorkspace('talk');
const patch = (body: unknown, headers: Record<string, string> = {}, id = 'conv_1') =>
  room.send('PATCH', `/${id}`, body, headers);
const read = async (id = 'conv_1') => (await room.send('GET', `/${id}`)).json;
const events = async () => (await listEvents(testTable(), room, { recordKind: 'conversations', limit: 100 })).data;

describe('updating a conversation', () => {
  it('changes only the sent members, and answers with a new ETag', async () => {
    const before = await room.send('GET', '/conv_1');
    const { status, json, headers } = await patch({ status: 'pending', language: 'ar' });
    expect([status, json]).toEqual([
      200,
      { ...before.json, status: 'pending', language: 'ar', updatedAt: expect.any(String) },
    ]);
    expect(json.updatedAt > before.json.updatedAt).toBe(true);
    expect(headers['etag']).not.toBe(before.headers['etag']);
    expect(await read()).toEqual(json);
    expect((await patch({ language: null })).json.language).toBeNull();
  });

  it.each([
    ['an agent', { type: 'agent', id: 'agent_1' }],
    ['a member', { type: 'member', id: 'mem_3' }],
    ['nobody', null],
  ])('assigns it to %s', async (_, assignee) => {
    expect((await patch({ assignee })).json.assignee).toEqual(assignee);
    expect((await read()).assignee).toEqual(assignee);
  });

  it('updating a conversation without a difference answers 200 and changes neither ETag, time nor audit log', async () => {
    await patch({ status: 'open' });
    const before = await room.send('GET', '/conv_1');
    const audited = await events();
    for (const body of [{}, { status: 'open' }]) {
      const { status, json, headers } = await patch(body);
      expect([status, json, headers['etag']]).toEqual([200, before.json, before.headers['etag']]);
    }
    expect(await events()).toEqual(audited);
  });

  it('checks If-Match', async () => {
    const { headers } = await room.send('GET', '/conv_1');
    const tag = headers['etag'] ?? '';
    expect(await patch({ status: 'snoozed' }, { 'if-match': '"other"' })).toMatchObject({
      status: 412,
      json: { code: 'precondition_failed' },
    });
    expect((await patch({ status: 'snoozed' }, { 'if-match': `"other", ${tag}` })).status).toBe(200);
    expect((await patch({ status: 'open' }, { 'if-match': tag })).status).toBe(412);
    expect((await patch({ status: 'open' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('records an audit event with the changed paths, in the same request', async () => {
    await patch({ status: 'open', assignee: null, language: null });
    await patch({ status: 'resolved', assignee: { type: 'member', id: 'mem_1' } });
    expect((await events())[0]).toMatchObject({
      actor: { type: 'key', id: 'key_desk', name: 'desk' },
      action: 'update',
      recordId: 'conv_1',
      changed: expect.arrayContaining(['status']),
      requestId: expect.any(String),
    });
    expect((await events())[0]?.changed.join()).toMatch(/^assignee.*status$/);
  });

  it('keeps all of several concurrent changes', async () => {
    const { json } = await room.open({ channelId: 'ch_2', customerId: 'cus_1' });
    await Promise.all([
      patch({ status: 'pending' }, {}, json.id),
      patch({ language: 'ar' }, {}, json.id),
      patch({ assignee: { type: 'agent', id: 'agent_2' } }, {}, json.id),
      ...[1, 2, 3].map((number) => room.say(json.id, { senderType: 'customer', text: `Hello ${number}` })),
    ]);
    expect(await read(json.id)).toMatchObject({
      status: 'pending',
      language: 'ar',
      assignee: { type: 'agent', id: 'agent_2' },
    });
  });
});

describe('updating a conversation is refused', () => {
  it.each<[string, unknown, string, string, string]>([
    ['with another member', { kind: 'order' }, 'invalid_body', 'kind', 'unknown_field'],
    ['with another status', { status: 'closed' }, 'validation_failed', 'status', 'not_allowed'],
    ['with null as status', { status: null }, 'invalid_body', 'status', 'type'],
    ['with a foreign language', { language: 'fr' }, 'validation_failed', 'language', 'not_allowed'],
    [
      'with an absent agent',
      { assignee: { type: 'agent', id: 'agent_9' } },
      'validation_failed',
      'assignee.id',
      'not_found',
    ],
    [
      'with a disabled agent',
      { assignee: { type: 'agent', id: 'agent_off' } },
      'validation_failed',
      'assignee.id',
      'not_found',
    ],
    [
      'with an absent member',
      { assignee: { type: 'member', id: 'agent_1' } },
      'validation_failed',
      'assignee.id',
      'not_found',
    ],
    [
      'with an inactive member',
      { assignee: { type: 'member', id: 'mem_gone' } },
      'validation_failed',
      'assignee.id',
      'not_found',
    ],
    [
      'with an assignee without an id',
      { assignee: { type: 'member' } },
      'validation_failed',
      'assignee.id',
      'required',
    ],
    [
      'with a customer as assignee',
      { assignee: { type: 'customer', id: 'cus_1' } },
      'validation_failed',
      'assignee.type',
      'not_allowed',
    ],
  ])('%s', async (_, body, code, path, issue) => {
    const before = await read();
    const answer = await patch(body);
    expect(answer).toMatchObject({ status: 400, json: { code, errors: [{ path, code: issue }] } });
    expect(await read()).toEqual(before);
  });

  it('updating a conversation is refused for an absent conversation and for one of another workspace (404)', async () => {
    const other = await openWorkspace('talk', ({ messaging }) => messaging.conversations.push({ id: 'conv_theirs' }));
    for (const id of ['conv_9', 'conv_theirs']) expect((await patch({ status: 'open' }, {}, id)).status).toBe(404);
    expect((await other.send('GET', '/conv_theirs')).json.status).toBe('open');
  });

  it('updating a conversation is refused without the engage permission (403)', async () => {
    const body = { status: 'resolved' };
    expect((await call(`PATCH ${conversations}/conv_1`, { key: room.keys.reader, body })).status).toBe(403);
  });
});

it('an import without assignee keeps it, one with null removes it', async () => {
  const assignee = { type: 'member', id: 'mem_1' };
  await patch({ assignee });
  await load(room.document, { yes: true } as object);
  expect((await read()).assignee).toEqual(assignee);
  const document = structuredClone(room.document);
  document.messaging.conversations[0].assignee = null;
  await load(document, { yes: true } as object);
  expect((await read()).assignee).toBeNull();
  const { messaging } = await exported(room.workspaceId);
  expect(messaging.conversations.find(({ id }: { id: string }) => id === 'conv_1')).toHaveProperty('assignee', null);
});
