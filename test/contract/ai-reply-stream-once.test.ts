import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keepLease } from '#lib/messaging/run-lease.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { AiRuns } from '#lib/table/messaging/ai-runs.ts';
import { callStream } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { streamPath } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['The ', 'reply.'] }));

const subject = { conversationId: 'conv_1', agentId: 'agent_1', messageId: 'msg_3' };
const runsOf = (room: Workspace<'chat'>) => new AiRuns(testTable(), { workspaceId: room.workspaceId }, subject);
const storedReplies = async ({ workspaceId }: Workspace<'chat'>) =>
  (await storedRecords(workspaceId, 'message')).filter(({ inReplyTo }: { inReplyTo?: string }) => inReplyTo);

const reply = () => ({
  author: { actor: { type: 'agent' as const, id: 'agent_1', name: 'Agent' }, requestId: null },
  message: {
    senderType: 'agent' as const,
    senderId: 'agent_1',
    channelId: 'ch_1',
    text: 'Made elsewhere.',
    attachments: [],
    inReplyTo: 'msg_3',
    onBehalfOf: 'cus_1',
    model: 'openai/test',
    citations: [],
  },
});

describe('a reply that another request is generating', () => {
  it('is waited for and streamed', async () => {
    const room = await openWorkspace('chat');
    await runsOf(room).claim('elsewhere');
    const asking = room.ask();
    await pause(500);
    const { id: messageId } = await runsOf(room).finish('elsewhere', reply);
    expect((await asking).end).toEqual({ type: 'done', messageId, text: 'Made elsewhere.' });
    expect(model.calls).toHaveLength(0);
  });

  it('is taken over when its owner is dead, and the dead owner can no longer store its own', async () => {
    const room = await openWorkspace('chat');
    const begun = Date.now();
    await runsOf(room).claim('dead', '', 1_500);
    const { end } = await room.ask();
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1_500);
    expect(end).toMatchObject({ type: 'done', text: 'The reply.' });
    await expect(runsOf(room).finish('dead', reply)).rejects.toBeInstanceOf(ConditionFailed);
    await expect(runsOf(room).renew('dead')).rejects.toBeInstanceOf(ConditionFailed);
    expect(await storedReplies(room)).toMatchObject([{ id: end.messageId, text: 'The reply.' }]);
  });

  it('belongs to one of sixty concurrent claims', async () => {
    const room = await openWorkspace('chat');
    const owners = Array.from({ length: 60 }, (_, index) => `owner-${index}`);
    const claims = await Promise.all(owners.map((owner) => runsOf(room).claim(owner)));
    expect(new Set(claims.map(({ owner }) => owner)).size).toBe(1);
  });

  it('is not started by a late repetition of a failed claim', async () => {
    const room = await openWorkspace('chat');
    await runsOf(room).claim('failing');
    await runsOf(room).fail('failing', 'internal');
    const failed = await runsOf(room).read();
    await runsOf(room).claim('failing');
    expect(await runsOf(room).read()).toEqual(failed);
    await runsOf(room).claim('done');
    await runsOf(room).finish('done', reply);
    const done = await runsOf(room).read();
    await runsOf(room).claim('done');
    expect(await runsOf(room).read()).toEqual(done);
  });

  it('is not stored by an owner that has lost the lease', async () => {
    const room = await openWorkspace('chat');
    const stolen = Promise.withResolvers<void>();
    model.answer({ say: ['Too ', 'late.'], until: stolen.promise });
    const asking = room.ask();
    while (model.calls.length === 0) await pause(10);
    const run = await runsOf(room).read();
    await testTable().put({
      ...run,
      pk: `W#${room.workspaceId}#ai-runs#conv_1`,
      sk: 'agent_1#msg_3',
      owner: 'thief',
      replyId: 'msg_thief',
    });
    stolen.resolve();
    expect((await asking).end).toEqual({ type: 'error', error: 'The reply could not be generated.' });
    expect(await storedReplies(room)).toEqual([]);
  });
});

describe('a lease', () => {
  it('is renewed until it is disposed', async () => {
    const room = await openWorkspace('chat');
    const { leaseUntil } = await runsOf(room).claim('alive', '', 100);
    const leased = async () => (await runsOf(room).read())?.leaseUntil ?? 0;
    let renewals = 0;
    const runs = () => {
      renewals++;
      return runsOf(room);
    };
    {
      using _lease = keepLease(runs, 'alive', () => undefined, 50);
      while (renewals < 2 || (await leased()) <= leaseUntil + 20_000) await pause(20);
    }
    const renewed = renewals;
    await pause(200);
    expect(renewals).toBe(renewed);
  });

  it('reports its loss one time', async () => {
    const room = await openWorkspace('chat');
    await runsOf(room).claim('dead', '', 1);
    await pause(10);
    await runsOf(room).claim('alive');
    let losses = 0;
    using _lease = keepLease(
      () => runsOf(room),
      'dead',
      () => (losses += 1),
      50,
    );
    while (losses === 0) await pause(20);
    await pause(200);
    expect(losses).toBe(1);
  });
});

describe('a client that', () => {
  it('disconnects does not stop the reply, which the next call gets', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['One ', 'two ', 'three.'], pause: 150 });
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_3' };
    const { body: stream, ended } = await callStream(streamPath, { key: room.key, body });
    await once(stream, 'data');
    stream.destroy();
    await ended.catch(() => undefined);
    expect(await storedReplies(room)).toMatchObject([{ text: 'One two three.' }]);
    const again = await room.ask();
    expect(again.end.text).toBe('One two three.');
    expect(model.calls).toHaveLength(1);
  });

  it('stops reading does not delay the reply', async () => {
    const room = await openWorkspace('chat');
    const long = Array.from({ length: 2_000 }, (_, index) => `word${index} `);
    model.answer({ say: long });
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_3' };
    const { body: stream, ended } = await callStream(streamPath, { key: room.key, body });
    while ((await runsOf(room).read())?.status !== 'done') await pause(50);
    expect(await storedReplies(room)).toMatchObject([{ text: long.join('') }]);
    let read = '';
    for await (const piece of stream) read += piece;
    await ended;
    expect(read.trimEnd().split('\n\n').at(-1)).toContain('"type":"done"');
  });
});
