import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '#lib/ai/engine.ts';
import { engineRequest, engineWires, partsOf, stallMilliseconds } from '#test/support/engine-wires.ts';
import { LoadTolerantClock } from '#test/support/load-tolerant-clock.ts';
import { type ModelServer, type Script, upstreamText } from '#test/support/model-server.ts';

const started = ['One ', 'two '];

/** What the model does, and how the engine reports it. */
const failures: readonly (readonly [what: string, script: Script, code: string])[] = [
  ['is busy', { status: 429 }, 'throttled'],
  ['refuses the key', { status: 403 }, 'auth'],
  ['does not know the model', { status: 404 }, 'model_not_found'],
  ['rejects the request', { status: 400 }, 'invalid'],
  ['fails', { status: 500 }, 'unavailable'],
  ['is down', { status: 503 }, 'unavailable'],
  ['never answers', 'never answer', 'timeout'],
  ['drops the connection immediately', 'reset at once', 'unavailable'],
  ['says nothing after its first words', { say: started, end: 'stall' }, 'timeout'],
  ['drops the connection after its first words', { say: started, end: 'reset' }, 'unavailable'],
  ['ends without its end mark', { say: started, end: 'no mark' }, 'unavailable'],
  ['ends without any text', { say: [], end: 'no mark' }, 'unavailable'],
  ['stops to call a tool but names none', { say: started, end: 'tool_calls' }, 'unavailable'],
  ['reports an error in the stream', { say: started, end: 'failure' }, 'unavailable'],
  ['sends bytes that cannot be parsed', { say: started, end: 'corrupt' }, 'unavailable'],
];

describe.each(engineWires)('$name', ({ connect }) => {
  let server: ModelServer;
  let engine: Engine;
  let hasty: Engine;
  beforeAll(async () => {
    ({ server, engine, hasty } = await connect());
  });
  afterAll(() => server.close());

  it.each(failures)(
    "reports a model that %s with the service's error, without the server's text",
    async (...failure) => {
      const [, script, code] = failure;
      server.answer(script);
      const { parts, error } = await partsOf(code === 'timeout' ? hasty : engine);
      expect({ name: error?.name, code: error?.code }).toEqual({ name: 'ModelError', code });
      expect(parts.some(({ type }) => type === 'finish')).toBe(false);
      for (const word of upstreamText.split(' ')) expect(String(error?.stack)).not.toContain(word);
      expect(error?.cause).toBeUndefined();
    },
  );

  it('calls a model that is busy for a moment a second time', async () => {
    server.answer({ status: 429 }, { say: ['Here.'] });
    expect(await partsOf(engine)).toMatchObject({ text: 'Here.', error: undefined });
    expect(server.calls).toHaveLength(2);
  });

  it('calls a model that stays busy at most twice', async () => {
    server.answer({ status: 429 });
    await partsOf(engine);
    expect(server.calls).toHaveLength(2);
  });

  it('does not call a model again that refuses the key', async () => {
    server.answer({ status: 403 });
    await partsOf(engine);
    expect(server.calls).toHaveLength(1);
  });

  it.each(['mark, then stall', 'mark, then chatter', 'mark, then reset'] as const)(
    'takes a reply as complete after its end mark (%s)',
    async (end) => {
      server.answer({ say: ['All ', 'said.'], end });
      const { text, parts, error } = await partsOf(hasty, engineRequest({ signal: new AbortController().signal }));
      expect({ text, error, last: parts.at(-1) }).toEqual({
        text: 'All said.',
        error: undefined,
        last: { type: 'finish', reason: 'stop' },
      });
    },
  );

  it('does not cut off a slow model', async () => {
    server.answer({ say: ['a ', 'b ', 'c ', 'd '], pause: stallMilliseconds * 0.5 });
    expect(await partsOf(hasty)).toMatchObject({ text: 'a b c d ', error: undefined });
  });

  it('closes the connection when the reader stops reading', async () => {
    server.answer({ say: started, end: 'stall' });
    for await (const part of engine.stream(engineRequest())) if (part.type === 'text') break;
    await server.calls[0]?.abandoned;
  });

  it('reports a stop by the caller immediately, and closes the connection', async () => {
    server.answer({ say: started, end: 'stall' });
    const controller = new AbortController();
    using clock = new LoadTolerantClock();
    let stoppedAt = Number.NaN;
    const stop = () => {
      stoppedAt = clock.now();
      controller.abort();
    };
    setTimeout(stop, 200);
    const { error } = await partsOf(engine, engineRequest({ signal: controller.signal }));
    expect(error?.code).toBe('aborted');
    expect(clock.now() - stoppedAt).toBeLessThan(stallMilliseconds);
    await server.calls[0]?.abandoned;
  });

  it('does not call the model when the caller aborts before', async () => {
    server.answer({ say: started });
    const { error } = await partsOf(engine, engineRequest({ signal: AbortSignal.abort() }));
    expect(error?.code).toBe('aborted');
    expect(server.calls).toHaveLength(0);
  });
});
