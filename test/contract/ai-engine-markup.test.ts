import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine, Part } from '#lib/ai/engine.ts';
import { engineRequest, engineWires, partsOf } from '#test/support/engine-wires.ts';
import type { ModelServer } from '#test/support/model-server.ts';
import { hidden, ordinary, writtenCalls } from '#test/support/written-markup.ts';

const properties = { query: { type: 'string' }, maxPrice: { type: 'number' } };
const tools = [{ name: 'search_menu', description: 'Finds products.', inputSchema: { type: 'object', properties } }];

describe.each(engineWires)('with $name, the markup of a model', ({ connect }) => {
  let server: ModelServer;
  let engine: Engine;
  beforeAll(async () => {
    ({ server, engine } = await connect());
  });
  afterAll(() => server.close());

  it('is not in the reply', async () => {
    for (const [reply, visible] of hidden.filter(([, text]) => text !== '')) {
      server.answer({ say: [reply] });
      const { text, parts } = await partsOf(engine, engineRequest({ tools }));
      expect([reply, text.trim(), parts.at(-1)]).toEqual([reply, visible.trim(), { type: 'finish', reason: 'stop' }]);
    }
  });

  it('leaves ordinary text as it is', async () => {
    for (const reply of ordinary) {
      server.answer({ say: [reply] });
      const { text, parts } = await partsOf(engine, engineRequest({ tools }));
      expect([text, parts.at(-1)]).toEqual([reply, { type: 'finish', reason: 'stop' }]);
    }
  });

  it('calls a tool', async () => {
    for (const [reply, input] of writtenCalls) {
      server.answer({ say: ['Let me look.\n', reply] });
      const { text, parts } = await partsOf(engine, engineRequest({ tools }));
      expect([reply, text.trim(), callsIn(parts), parts.at(-1)]).toEqual([
        reply,
        'Let me look.',
        [{ type: 'tool-call', id: expect.stringMatching(/^[\w-]+$/), name: 'search_menu', input }],
        { type: 'finish', reason: 'tool_calls' },
      ]);
    }
  });

  it('calls a tool one time if the server has understood the call, too', async () => {
    const call = { id: 'c1', name: 'search_menu', input: { query: 'rice' } };
    server.answer({
      say: ['<tool_call>{"name":"search_menu","arguments":{"query":"rice"}}</tool_call>'],
      call: [call],
    });
    const { parts } = await partsOf(engine, engineRequest({ tools }));
    expect(callsIn(parts)).toEqual([{ type: 'tool-call', ...call }]);
  });

  it('calls nothing in a request without tools, or for an answer without further calls', async () => {
    server.answer({ say: ['Yes. <tool_call>{"name":"search_menu","arguments":{}}</tool_call>'] });
    for (const more of [{ tools: [] }, { tools, toolChoice: 'none' as const }]) {
      const { text, parts } = await partsOf(engine, engineRequest(more));
      expect([text, callsIn(parts), parts.at(-1)]).toEqual(['Yes. ', [], { type: 'finish', reason: 'stop' }]);
    }
  });

  it('is an error when reasoning without an opening tag has been passed on, and when reasoning never ends', async () => {
    for (const say of [['Secret plan.', '</think>Hello'], ['<think>Secret plan.']]) {
      server.answer({ say });
      const { text, error } = await partsOf(engine, engineRequest({ tools }));
      expect([say, text, error?.code]).toEqual([say, say.length > 1 ? say[0] : '', 'unavailable']);
    }
  });

  it('is expected from a model that reasons, unless the server separates reasoning', async () => {
    server.answer({ say: ['Secret ', 'plan.</think>', 'Hello'] });
    expect((await partsOf(engine, engineRequest({ reasoning: true }))).text).toBe('Hello');
    server.answer({ say: ['Secret plan.'] });
    expect(await partsOf(engine, engineRequest({ reasoning: true }))).toMatchObject({
      text: '',
      error: { code: 'unavailable' },
    });
    server.answer({ think: ['Secret plan.'], say: ['Hello'] });
    expect((await partsOf(engine, engineRequest({ reasoning: true }))).text).toBe('Hello');
  });
});

const callsIn = (parts: readonly Part[]): Part[] => parts.filter(({ type }) => type === 'tool-call');
