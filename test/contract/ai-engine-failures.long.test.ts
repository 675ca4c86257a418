import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '#lib/ai/engine.ts';
import { aRequest, engineWires, partsOf, stallMilliseconds } from '../support/engine-wires.ts';
import { type ModelServer, type Script, upstreamWords } from '../support/model-server.ts';
import { WorkedTime } from '../support/worked-time.ts';

const started = ['One ', 'two '];

/** What a model does, and what the engine makes of it. */
const failures: readonly (readonly [what: string, script: Script, code: string, retryable: boolean])[] = [
  ['is busy', { status: 429 }, 'throttled', true],
  ['refuses the key', { status: 403 }, 'auth', false],
  ['does not know the model', { status: 404 }, 'model_not_found', false],
  ['does not like the request', { status: 400 }, 'invalid', false],
  ['fails', { status: 500 }, 'unavailable', true],
  ['is down', { status: 503 }, 'unavailable', true],
  ['never answers', 'never answer', 'timeout', true],
  ['drops the connection at once', 'reset at once', 'unavailable', true],
  ['says nothing after its first words', { say: started, end: 'stall' }, 'timeout', true],
  ['drops the connection after its first words', { say: started, end: 'reset' }, 'unavailable', true],
  ['ends without its end mark', { say: started, end: 'no mark' }, 'unavailable', true],
  ['says nothing at all and ends', { say: [], end: 'no mark' }, 'unavailable', true],
  ['stops to look up what it does not name', { say: started, end: 'tool_calls' }, 'unavailable', true],
  ['tells of an error in the stream', { say: started, end: 'failure' }, 'unavailable', true],
  ['sends what cannot be read', { say: started, end: 'corrupt' }, 'unavailable', true],
];

describe.each(engineWires)('$name, when the model', ({ connect }) => {
  let server: ModelServer;
  let engine: Engine;
  let hasty: Engine;
  beforeAll(async () => {
    ({ server, engine, hasty } = await connect());
  });
  afterAll(() => server.close());

  it.each(failures)('%s, ends with the error of the service, without the text of the server', async (...failure) => {
    const [, script, code, retryable] = failure;
    server.answer(script);
    const { parts, error } = await partsOf(code === 'timeout' ? hasty : engine);
    expect({ name: error?.name, code: error?.code, retryable: error?.retryable }).toEqual({
      name: 'ModelError',
      code,
      retryable,
    });
    expect(parts.some(({ type }) => type === 'finish')).toBe(false);
    for (const word of upstreamWords.split(' ')) expect(String(error?.stack)).not.toContain(word);
    expect(error?.cause).toBeUndefined();
  });

  it('is busy for a moment, is called a second time', async () => {
    server.answer({ status: 429 }, { say: ['Here.'] });
    expect(await partsOf(engine)).toMatchObject({ text: 'Here.', error: undefined });
    expect(server.calls).toHaveLength(2);
  });

  it('stays busy, is called at most twice', async () => {
    server.answer({ status: 429 });
    await partsOf(engine);
    expect(server.calls).toHaveLength(2);
  });

  it('refuses the key, is not called again', async () => {
    server.answer({ status: 403 });
    await partsOf(engine);
    expect(server.calls).toHaveLength(1);
  });

  it.each(['mark, then stall', 'mark, then chatter', 'mark, then reset'] as const)(
    'has ended (%s), counts as complete',
    async (end) => {
      server.answer({ say: ['All ', 'said.'], end });
      const { text, parts, error } = await partsOf(hasty, aRequest({ signal: new AbortController().signal }));
      expect({ text, error, last: parts.at(-1) }).toEqual({
        text: 'All said.',
        error: undefined,
        last: { type: 'finish', reason: 'stop' },
      });
    },
  );

  it('is slow, is not cut off', async () => {
    server.answer({ say: ['a ', 'b ', 'c ', 'd '], pause: stallMilliseconds * 0.5 });
    expect(await partsOf(hasty)).toMatchObject({ text: 'a b c d ', error: undefined });
  });

  it('is no longer listened to, closes its connection', async () => {
    server.answer({ say: started, end: 'stall' });
    for await (const part of engine.stream(aRequest())) if (part.type === 'text') break;
    await server.calls[0]?.abandoned;
  });

  it('is stopped by the caller, says so at once and closes its connection', async () => {
    server.answer({ say: started, end: 'stall' });
    const controller = new AbortController();
    using clock = new WorkedTime();
    let stoppedAt = Number.NaN;
    const stop = () => {
      stoppedAt = clock.now();
      controller.abort();
    };
    setTimeout(stop, 200);
    const { error } = await partsOf(engine, aRequest({ signal: controller.signal }));
    expect(error?.code).toBe('aborted');
    expect(clock.now() - stoppedAt).toBeLessThan(stallMilliseconds);
    await server.calls[0]?.abandoned;
  });

  it('is aborted before the call, is not called', async () => {
    server.answer({ say: started });
    const { error } = await partsOf(engine, aRequest({ signal: AbortSignal.abort() }));
    expect(error?.code).toBe('aborted');
    expect(server.calls).toHaveLength(0);
  });
});
