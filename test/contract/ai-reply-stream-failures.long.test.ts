import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exported } from '#test/support/document-text.ts';
import type { Script } from '#test/support/model-server.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import type { Event } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
process.env['OPENAI_API_KEY'] = 'sk-never-shown';
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['Hello.'] }));

const repliesIn = async (workspaceId: string) =>
  (await exported(workspaceId)).messaging.messages.filter(({ inReplyTo }: Event) => inReplyTo);

const general = 'The reply could not be generated.';
const failing: [string, Script, string][] = [
  ['is throttled', { status: 429 }, 'The AI model is busy, try again shortly.'],
  ['refuses our key', { status: 401 }, 'The AI model is not available.'],
  ['does not exist', { status: 404 }, 'The AI model is not available.'],
  ['refuses', { status: 400 }, 'The AI model rejected the request.'],
  ['breaks', { status: 500 }, general],
  ['answers nothing', { say: [] }, general],
  ['answers white space', { say: [' ', '\n\n'] }, general],
  ['answers invisible characters only', { say: ['\u200b', '\u0085\u2060'] }, general],
  ['stops to call a tool but names none', { say: ['Let me look.'], end: 'tool_calls' }, general],
  ['ends without its end mark', { say: ['Half a re'], end: 'no mark' }, general],
  ['breaks off', { say: ['Half a re'], end: 'reset' }, general],
  ['sends bytes that cannot be parsed', { say: ['Half a re'], end: 'corrupt' }, general],
  ['reports a failure after its first words', { say: ['Half a re'], end: 'failure' }, general],
  ['resets the connection immediately', 'reset at once', general],
];

describe('a model that', () => {
  it.each(failing)(
    '%s: the stream ends with one error event, nothing is stored, and the next call tries again',
    async (_, script, sentence) => {
      const room = await openWorkspace('chat');
      model.answer(script);
      const { status, events, end, text } = await room.ask();
      expect(status).toBe(200);
      expect(end).toEqual({ type: 'error', error: sentence });
      expect(events.filter(({ type }) => type !== 'delta')).toHaveLength(1);
      expect(text).not.toContain('sk-');
      expect(text).not.toContain('upstream');
      expect(await repliesIn(room.workspaceId)).toEqual([]);

      model.answer({ say: ['Now it ', 'works.'] });
      const again = await room.ask();
      expect(again.end).toMatchObject({ type: 'done', text: 'Now it works.' });
      expect(model.calls).toHaveLength(1);
      expect(await repliesIn(room.workspaceId)).toHaveLength(1);
    },
  );

  it('breaks off ends the streams of all waiting callers with the same error', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['Half'], pause: 1_000, end: 'no mark' });
    const replies = await Promise.all(Array.from({ length: 5 }, () => room.ask()));
    for (const { end } of replies) expect(end).toEqual({ type: 'error', error: general });
    expect(model.calls).toHaveLength(1);
  });

  it('stalls is cancelled when the function has little time left', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['Hello'], end: 'stall' });
    const { end } = await room.ask();
    expect(end).toEqual({ type: 'error', error: 'The reply took too long.' });
    await model.calls[0]?.abandoned;
    expect(await repliesIn(room.workspaceId)).toEqual([]);
  });

  it('has no engine is not replaced by another', async () => {
    const room = await openWorkspace('chat', ({ messaging }) => {
      messaging.agents[0].model = 'openai/test';
    });
    const { OPENAI_BASE_URL } = process.env;
    process.env['OPENAI_BASE_URL'] = 'http://127.0.0.1:9/v1';
    const { end } = await room.ask();
    process.env['OPENAI_BASE_URL'] = OPENAI_BASE_URL;
    expect(end).toEqual({ type: 'error', error: expect.stringMatching(/not available|could not be generated/) });
    expect(await repliesIn(room.workspaceId)).toEqual([]);
  });

  it('reaches its token limit has finished', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['As far as it goes'], end: 'length' });
    expect((await room.ask()).end).toMatchObject({ type: 'done', text: 'As far as it goes' });
  });
});
