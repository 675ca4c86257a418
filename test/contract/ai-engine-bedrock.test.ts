import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bedrockEngine, bedrockFailure } from '#lib/ai/bedrock/bedrock-engine.ts';
import type { Engine } from '#lib/ai/engine.ts';
import { frame, startBedrockServer } from '#test/support/bedrock-server.ts';
import { engineRequest, partsOf } from '#test/support/engine-wires.ts';
import type { ModelServer } from '#test/support/model-server.ts';

let server: ModelServer;
let engine: Engine;
beforeAll(async () => {
  server = await startBedrockServer();
  process.env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] = server.url;
  engine = bedrockEngine();
});
afterAll(() => server.close());

const tool = { name: 'search_menu', description: 'Finds products.', inputSchema: { type: 'object', properties: {} } };
const call = { id: 'c1', name: 'search_menu', input: { query: 'kabsa' } };

describe('a call of Bedrock', () => {
  it('is a signed ConverseStream over HTTP/1.1', async () => {
    server.answer({ say: ['Hi.'] });
    const model = 'global.amazon.nova-2-lite-v1:0';
    await partsOf(engine, engineRequest({ model, temperature: 1.5, tools: [tool] }));
    const [seen] = server.calls;
    expect(seen?.httpVersion).toBe('1.1');
    expect(seen?.path).toBe(`/model/${encodeURIComponent(model)}/converse-stream`);
    expect(seen?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 .*\/bedrock\/aws4_request/);
    expect(seen?.body).toEqual({
      system: [{ text: 'You answer.' }],
      messages: [{ role: 'user', content: [{ text: 'How much is the kabsa?' }] }],
      inferenceConfig: { maxTokens: 100, temperature: 1 },
      toolConfig: {
        tools: [
          {
            toolSpec: { name: 'search_menu', description: 'Finds products.', inputSchema: { json: tool.inputSchema } },
          },
        ],
      },
    });
  });

  it('alternates the roles, begins with the user, and has no blank turn', async () => {
    server.answer({ say: ['58.'] });
    const messages = [
      { role: 'assistant', text: 'Welcome!' },
      { role: 'user', text: 'Hello.' },
      { role: 'user', text: 'Kabsa?' },
      { role: 'assistant', text: ' ', toolCalls: [call] },
      { role: 'tool', results: [{ id: 'c1', name: 'search_menu', output: '{"total":1}' }] },
    ] as const;
    await partsOf(engine, engineRequest({ messages, tools: [tool], toolChoice: 'none' }));
    const turns = server.calls[0]?.body.messages;
    expect(turns.slice(0, 2)).toEqual([
      { role: 'user', content: [{ text: 'Hello.' }, { text: 'Kabsa?' }] },
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 'c1', name: 'search_menu', input: { query: 'kabsa' } } }],
      },
    ]);
    expect(turns[2].role).toBe('user');
    expect(turns[2].content[0]).toEqual({ toolResult: { toolUseId: 'c1', content: [{ json: { total: 1 } }] } });
  });

  it('yields text, pieces of tool calls, token counts and an end', async () => {
    server.answer({ say: ['Let me ', 'look.'], call: [call] });
    const { parts } = await partsOf(engine, engineRequest({ tools: [tool] }));
    expect(parts).toEqual([
      { type: 'text', delta: 'Let me ' },
      { type: 'text', delta: 'look.' },
      { type: 'usage', inputTokens: 11, outputTokens: 7 },
      { type: 'tool-call', ...call },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it.each([
    ['length', 'length'],
    ['filtered', 'filtered'],
  ] as const)('may end early (%s) and is finished', async (end, reason) => {
    server.answer({ say: ['Half'], end });
    expect((await partsOf(engine)).parts.at(-1)).toEqual({ type: 'finish', reason });
  });
});

describe('the frames of Bedrock', () => {
  const begin = frame('event', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Y' } });

  it.each([
    ['throttlingException', 'throttled'],
    ['validationException', 'invalid'],
    ['serviceUnavailableException', 'unavailable'],
    ['internalServerException', 'unavailable'],
    ['somethingNewException', 'unavailable'],
  ])('frames of an exception (%s) end with an error', async (name, code) => {
    server.answer({ raw: [begin, frame('exception', name, { message: 'upstream-internals' })] });
    const { error } = await partsOf(engine);
    expect(error?.code).toBe(code);
    expect(error?.message).not.toContain('upstream');
  });

  it.each([
    ['cut in the middle', [begin, begin.subarray(0, 20)]],
    ['that are no frames', [begin, '{"message":"upstream-internals"}']],
    ['that end with malformed output', [frame('event', 'messageStop', { stopReason: 'malformed_model_output' })]],
  ])('%s end with an error', async (_, raw) => {
    server.answer({ raw });
    expect((await partsOf(engine)).error?.code).toBe('unavailable');
  });

  it('frames of thoughts and of unknown kinds are skipped', async () => {
    const thought = { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } };
    server.answer({
      raw: [
        frame('event', 'contentBlockDelta', thought),
        frame('event', 'somethingNew', { a: 1 }),
        begin,
        frame('event', 'messageStop', { stopReason: 'end_turn' }),
      ],
    });
    expect(await partsOf(engine)).toMatchObject({ text: 'Y', error: undefined });
  });
});

it.each([
  // The SDK also reports a connection that breaks before the answer as a timeout.
  [{ name: 'TimeoutError', code: 'ECONNRESET' }, 'unavailable'],
  [{ name: 'TimeoutError', code: 'EPIPE' }, 'unavailable'],
  [{ name: 'TimeoutError', code: 'ETIMEDOUT' }, 'timeout'],
  [{ name: 'TimeoutError' }, 'timeout'],
  [{ name: 'ModelErrorException', $metadata: { httpStatusCode: 424 } }, 'unavailable'],
  [{ name: 'SomethingNew', $metadata: { httpStatusCode: 424 } }, 'invalid'],
  [undefined, 'unavailable'],
])('the Bedrock engine reports a failure of the SDK, %j, as %s', (error, code) => {
  expect(bedrockFailure(error)).toMatchObject({ name: 'ModelError', code });
});
