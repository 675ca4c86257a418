import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { eventsOf, streamPath } from '#test/support/presets/chat.ts';
import { takeOvers } from '#test/support/take-overs.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['The ', 'reply.'] }));

const handled = { type: 'error', error: 'This conversation is handled by a member of the team.' };
const member = { assignee: { type: 'member', id: 'mem_1' } };

describe('while a member handles the conversation', () => {
  it('a reply while a member handles the conversation is one error event, and no model is called', async () => {
    const room = await openWorkspace('talk');
    await room.send('PATCH', '/conv_1', member);
    expect((await room.ask()).events).toEqual([handled]);
    expect(model.calls).toHaveLength(0);
  });

  it('a stored reply is not sent again while a member handles the conversation', async () => {
    const room = await openWorkspace('talk');
    expect((await room.ask()).end.type).toBe('done');
    await room.send('PATCH', '/conv_1', member);
    expect((await room.ask()).events).toEqual([handled]);
  });

  it('a missing conversation is reported before the handling member, and a missing agent after', async () => {
    const room = await openWorkspace('talk');
    await room.send('PATCH', '/conv_1', member);
    expect((await room.ask({ conversationId: 'conv_9' })).end.error).toBe('Conversation not found.');
    expect((await room.ask({ customerId: 'cus_2' })).end.error).toBe('Conversation not found.');
    expect((await room.ask({ agentId: 'agent_9' })).end).toEqual(handled);
    expect((await room.ask({ lastMessageId: 'msg_9' })).end).toEqual(handled);
  });

  it.each([
    ['pending', null, true],
    ['pending', { type: 'agent', id: 'agent_1' }, false],
    ['pending', { type: 'agent', id: 'agent_2' }, false],
    ['open', null, false],
    ['snoozed', null, false],
    ['resolved', { type: 'member', id: 'mem_3' }, true],
  ])('a conversation with the status %s and the assignee %j: %s', async (status, assignee, isHandled) => {
    const room = await openWorkspace('talk');
    await room.send('PATCH', '/conv_1', { status, assignee });
    expect((await room.ask()).end).toMatchObject(isHandled ? handled : { type: 'done' });
  });
});

describe('a take-over during a reply', () => {
  it('ends the stream with the error event and stores nothing; the agent answers after the conversation is given back', async () => {
    const room = await openWorkspace('talk');
    const taken = Promise.withResolvers<void>();
    model.answer({ say: ['One ', 'two ', 'three.'], until: taken.promise });
    const asking = room.ask();
    while (model.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await room.send('PATCH', '/conv_1', member);
    taken.resolve();
    const { end, events } = await asking;
    expect([end, events.filter(({ type }) => type !== 'delta')]).toEqual([handled, [handled]]);
    const stored = async () => (await room.send('GET', '/conv_1/messages')).json.data.length;
    expect(await stored()).toBe(3);
    await room.send('PATCH', '/conv_1', { assignee: null });
    expect((await room.ask()).end.type).toBe('done');
    expect(await stored()).toBe(4);
  });

  it("leaves only replies that were stored before the take-over's answer, at any moment (8 times)", async () => {
    const { replied, silenced, wrong } = await takeOvers(model, 8);
    expect(wrong).toEqual([]);
    expect(replied + silenced).toBe(8);
  });
});

describe('an agent', () => {
  const notifications = ({ workspaceId }: Workspace<'talk'>) => storedRecords(workspaceId, 'notification');
  const state = async (room: Workspace<'talk'>) => {
    const { status, assignee } = (await room.send('GET', '/conv_1')).json;
    return { status, assignee };
  };

  it('hands over by its tool, in one transaction with its reply', async () => {
    const room = await openWorkspace('talk');
    await room.send('PATCH', '/conv_1', { assignee: { type: 'agent', id: 'agent_1' } });
    model.answer(
      { say: [], call: [{ id: 'call_1', name: 'hand_over', input: {} }] },
      { say: ['A person ', 'will help.'] },
    );
    const { end } = await room.ask();
    expect(end).toMatchObject({ type: 'done', text: 'A person will help.' });
    expect(await state(room)).toEqual({ status: 'pending', assignee: null });
    expect(await notifications(room)).toEqual([
      {
        id: expect.stringMatching(/^not_/),
        type: 'hand_over',
        conversationId: 'conv_1',
        readAt: null,
        createdAt: expect.any(String),
      },
    ]);
    const newest = (await room.send('GET', '/conv_1/messages?limit=1')).json;
    expect([newest.data[0].id, newest.status, newest.assigneeType]).toEqual([end.messageId, 'pending', null]);
    expect((await room.ask()).events).toEqual([handled]);
  });

  it('does not hand over if its reply fails', async () => {
    const room = await openWorkspace('talk');
    const before = await state(room);
    model.answer({ say: [], call: [{ id: 'call_1', name: 'hand_over', input: {} }] }, { status: 400 });
    expect((await room.ask()).end.type).toBe('error');
    expect([await state(room), await notifications(room)]).toEqual([before, []]);
  });

  it('does not hand over without the tool', async () => {
    const room = await openWorkspace('talk', ({ messaging }: Document) => {
      messaging.agents[0].tools = ['search_menu'];
    });
    model.answer({ say: [], call: [{ id: 'call_1', name: 'hand_over', input: {} }] }, { say: ['No.'] });
    expect((await room.ask()).end.type).toBe('done');
    expect(await state(room)).toEqual({ status: 'open', assignee: null });
  });

  it('an agent of the offline engine hands over if its reply says that the team will help', async () => {
    const room = await openWorkspace('talk', ({ messaging }: Document) => {
      messaging.agents[0].model = 'offline/retrieval-1';
    });
    const { json } = await room.say('conv_1', { senderType: 'customer', text: 'I want to talk to a person.' });
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: json.id };
    const [end] = eventsOf((await call(streamPath, { key: room.key, body })).text).slice(-1);
    expect(end.text).toBe('Of course. A member of our team will help you here.');
    expect(await state(room)).toEqual({ status: 'pending', assignee: null });
    expect(await notifications(room)).toMatchObject([{ type: 'hand_over', conversationId: 'conv_1' }]);
  });
});
