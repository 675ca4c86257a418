import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import { engineSettings } from '#lib/ai/engine.ts';
import { openAiEngine } from '#lib/ai/openai/openai-engine.ts';
import { engineRequest, partsOf } from '#test/support/engine-wires.ts';
import type { ModelServer } from '#test/support/model-server.ts';
import { chunk, startOpenAiServer } from '#test/support/openai-server.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const engineWith = (environment: Readonly<Record<string, string>> = {}) =>
  openAiEngine(engineSettings({ OPENAI_BASE_URL: server.url, ...environment }).openAi);

const tool = { name: 'search_menu', description: 'Finds products.', inputSchema: { type: 'object', properties: {} } };

describe('a call of an OpenAI-compatible server', () => {
  it('asks for a stream of a chat completion, with the system first', async () => {
    server.answer({ say: ['Hi.'] });
    await partsOf(engineWith(), engineRequest({ temperature: 0.3, tools: [tool] }));
    const [{ path, body, headers } = { path: '', body: {}, headers: {} }] = server.calls;
    expect(path).toBe('/v1/chat/completions');
    expect(body).toEqual({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0.3,
      tools: [
        {
          type: 'function',
          function: { name: 'search_menu', description: 'Finds products.', parameters: tool.inputSchema },
        },
      ],
      messages: [
        { role: 'system', content: 'You answer.' },
        { role: 'user', content: 'How much is the kabsa?' },
      ],
    });
    expect(headers['authorization']).toBeUndefined();
  });

  it('sends a key if one is set, and only parameters that the server supports', async () => {
    server.answer({ say: ['Hi.'] });
    const dialect = { maxTokensField: 'max_completion_tokens', reportsTokens: false } as const;
    await partsOf(engineWith({ OPENAI_API_KEY: 'sk-test-1' }), engineRequest({ dialect }));
    expect(server.calls[0]?.headers['authorization']).toBe('Bearer sk-test-1');
    expect(server.calls[0]?.body).toMatchObject({ max_completion_tokens: 100 });
    expect(Object.keys(server.calls[0]?.body)).not.toEqual(expect.arrayContaining(['stream_options']));
    expect(Object.keys(server.calls[0]?.body)).not.toEqual(expect.arrayContaining(['max_tokens']));
  });

  it('sends back the tool calls and their results', async () => {
    server.answer({ say: ['58.'] });
    const call = { id: 'c1', name: 'search_menu', input: { query: 'kabsa' } };
    const messages = [
      { role: 'user', text: 'Kabsa?' },
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', results: [{ id: 'c1', name: 'search_menu', output: '{"total":1}' }] },
    ] as const;
    await partsOf(engineWith(), engineRequest({ messages, tools: [tool], toolChoice: 'none' }));
    expect(server.calls[0]?.body.tool_choice).toBe('none');
    expect(server.calls[0]?.body.messages.slice(1)).toEqual([
      { role: 'user', content: 'Kabsa?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search_menu', arguments: '{"query":"kabsa"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"total":1}' },
    ]);
  });

  it('joins consecutive messages of one role, because many models require alternating roles', async () => {
    server.answer({ say: ['58.'] });
    const said = ['Hello.', 'Kabsa?'].map((text) => ({ role: 'user', text }) as const);
    const welcome = { role: 'assistant', text: 'Welcome!' } as const;
    await partsOf(engineWith(), engineRequest({ messages: [...said, welcome, welcome, ...said] }));
    expect(server.calls[0]?.body.messages.slice(1)).toEqual([
      { role: 'user', content: 'Hello.\n\nKabsa?' },
      { role: 'assistant', content: 'Welcome!\n\nWelcome!' },
      { role: 'user', content: 'Hello.\n\nKabsa?' },
    ]);
  });

  it.each([
    [401, 'auth'],
    [402, 'invalid'],
    [408, 'timeout'],
    [422, 'invalid'],
    [502, 'unavailable'],
  ])('reports the status %i as %s', async (status, code) => {
    server.answer({ status });
    expect((await partsOf(engineWith())).error?.code).toBe(code);
  });

  it('follows no redirect, so that no other host sees the request', async () => {
    const other = await startOpenAiServer();
    server.answer({ status: 307, headers: { location: `${other.url}/chat/completions` } });
    expect((await partsOf(engineWith())).error?.code).toBe('unavailable');
    expect(other.calls).toHaveLength(0);
    await other.close();
  });

  it('never reveals the key, even one that a header cannot carry', async () => {
    const { error } = await partsOf(engineWith({ OPENAI_API_KEY: 'sk-secret\nX-Other: 1' }));
    expect(error?.code).toBe('unavailable');
    expect(String(error?.stack)).not.toContain('sk-secret');
  });

  it('reads its key again when the server refuses it, and retries with the new one', async () => {
    const arn = secretArn('model-key');
    const secrets = await SecretsManager.start({ [arn]: 'sk-old' });
    try {
      const engine = engineWith({ OPENAI_API_KEY_SECRET: arn });
      server.answer({ say: ['Hi.'] });
      expect((await partsOf(engine)).error).toBeUndefined();
      secrets.rotate(arn, 'sk-new');
      server.answer({ status: 401 }, { say: ['Hi.'] });
      expect((await partsOf(engine)).error).toBeUndefined();
      const keys = server.calls.map(({ headers }) => headers.authorization);
      expect(keys).toEqual(['Bearer sk-old', 'Bearer sk-new']);
      server.answer({ status: 403 });
      expect((await partsOf(engine)).error?.code).toBe('auth');
      expect(server.calls).toHaveLength(1);
    } finally {
      await secrets.stop();
    }
  });

  it('waits no longer than a few seconds for a busy server', async () => {
    server.answer({ status: 429, headers: { 'retry-after': '60' } });
    expect((await partsOf(engineWith())).error?.code).toBe('throttled');
    expect(server.calls).toHaveLength(1);
  });

  it.each(['', 'not-an-address', 'ftp://127.0.0.1/v1'])('requires a valid address: refuses %j', (baseUrl) => {
    expect(() => engineWith({ OPENAI_BASE_URL: baseUrl })).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    );
  });

  it('accepts an address with a trailing slash', async () => {
    server.answer({ say: ['Hi.'] });
    await partsOf(engineWith({ OPENAI_BASE_URL: `${server.url}/` }));
    expect(server.calls[0]?.path).toBe('/v1/chat/completions');
  });
});

/** The same reply, as servers of different makes send it. */
const dialects: readonly (readonly [what: string, raw: readonly (string | Buffer)[], text: string])[] = [
  ['no [DONE]', [chunk({ content: 'Yes.' }), chunk({}, 'stop')], 'Yes.'],
  [
    'no blank line at the end',
    [chunk({ content: 'Yes.' }), 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}'],
    'Yes.',
  ],
  ['pings', [': ping\n\n', chunk({ content: 'Yes' }), ':\n\n', chunk({ content: '.' }, 'stop')], 'Yes.'],
  ['CRLF', [String(chunk({ content: 'Yes.' }, 'stop')).replaceAll('\n', '\r\n')], 'Yes.'],
  ['a byte order mark', ['\ufeff', chunk({ content: 'Yes.' }, 'stop')], 'Yes.'],
  [
    'no contents, or null',
    [chunk({ role: 'assistant', content: null }), chunk({}), chunk({ content: 'Yes.' }, 'stop')],
    'Yes.',
  ],
  ['chunks without choices', ['data: {"choices":[]}\n\n', 'data: {}\n\n', chunk({ content: 'Yes.' }, 'stop')], 'Yes.'],
  [
    'reasoning in a member beside the text',
    [chunk({ reasoning_content: 'Hm.' }), chunk({ reasoning: 'Hm.' }), chunk({ content: 'Yes.' }, 'stop')],
    'Yes.',
  ],
  [
    'thoughts in the text',
    [chunk({ content: '<thi' }), chunk({ content: 'nk>Hm.</th' }), chunk({ content: 'ink>\n\nYes.' }, 'stop')],
    'Yes.',
  ],
  [
    'nothing but a finish reason after the text',
    [chunk({ content: 'Yes.' }), 'data: {"choices":[{"finish_reason":"stop"}]}\n\n'],
    'Yes.',
  ],
  [
    'content as a list of parts',
    [
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      chunk({ content: [{ type: 'text', text: 'Yes.' }] }, 'stop'),
    ],
    'Yes.',
  ],
  ['an unknown finish reason', [chunk({ content: 'Yes.' }, 'eos')], 'Yes.'],
];

describe('the stream of a server with', () => {
  it.each(dialects)('%s is read', async (_, raw, text) => {
    server.answer({ raw });
    expect(await partsOf(engineWith())).toMatchObject({ text, error: undefined });
  });

  it('characters cut between chunks is read', async () => {
    const bytes = chunk({ content: 'كبسة 🍚' }, 'stop');
    const middle = bytes.indexOf('🍚') + 2;
    server.answer({ raw: [bytes.subarray(0, middle), bytes.subarray(middle)] });
    expect((await partsOf(engineWith())).text).toBe('كبسة 🍚');
  });

  it.each([
    ['an error field', 'error: {"code":500,"message":"upstream-internals"}\n\n'],
    ['[DONE] without a finish reason', 'data: [DONE]\n\n'],
    ['an error as finish reason', String(chunk({}, 'error'))],
    [
      'the finish reason of deprecated function calls',
      String(chunk({ function_call: { name: 'x' } }, 'function_call')),
    ],
    ['bytes that are not UTF-8', Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a])],
    ['an HTML page instead of a stream', '<html>upstream-internals</html>'],
    ['an error instead of a stream', '{"error":{"message":"upstream-internals"}}'],
  ])('%s ends with an error', async (_, raw) => {
    server.answer({ raw: [chunk({ content: 'Y' }), raw] });
    const { error } = await partsOf(engineWith());
    expect(error?.code).toBe('unavailable');
    expect(error?.message).not.toContain('upstream');
  });

  it('an endless event is cut off', async () => {
    server.answer({ raw: ['data: ', 'x'.repeat(2_000_000)] });
    expect((await partsOf(engineWith())).error?.code).toBe('unavailable');
  });

  it.each([{ code: 429 }, { type: 'tokens', code: 'rate_limit_exceeded' }, { type: 'rate_limit_error', code: null }])(
    'a rate limit in its stream (%j) is reported as throttled',
    async (error) => {
      server.answer({ raw: [`data: ${JSON.stringify({ error: { message: 'slow down', ...error } })}\n\n`] });
      expect((await partsOf(engineWith())).error?.code).toBe('throttled');
    },
  );
});

describe('tool calls', () => {
  const calls = async (raw: readonly Buffer[]) => {
    server.answer({ raw });
    const { parts } = await partsOf(engineWith(), engineRequest({ tools: [tool] }));
    return parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : []));
  };
  const piece = (more: object) => chunk({ tool_calls: [more] });

  it('are joined from their pieces', async () => {
    server.answer({
      say: [],
      call: [
        { id: 'a', name: 'search_menu', input: { query: 'kabsa' } },
        { id: 'b', name: 'list_categories', input: {} },
      ],
    });
    const { parts } = await partsOf(engineWith(), engineRequest({ tools: [tool] }));
    expect(parts).toEqual([
      { type: 'usage', inputTokens: 11, outputTokens: 7 },
      { type: 'tool-call', id: 'a', name: 'search_menu', input: { query: 'kabsa' } },
      { type: 'tool-call', id: 'b', name: 'list_categories', input: {} },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('may come in one piece, with an object as arguments, without id or index, and end with stop', async () => {
    expect(
      await calls([piece({ function: { name: 'search_menu', arguments: { query: 'tea' } } }), chunk({}, 'stop')]),
    ).toEqual([{ name: 'search_menu', input: { query: 'tea' } }]);
  });

  it('may all have the same index', async () => {
    const call = (id: string, query: string) =>
      piece({ index: 0, id, function: { name: 'search_menu', arguments: JSON.stringify({ query }) } });
    expect(await calls([call('a', 'tea'), call('b', 'rice'), chunk({}, 'tool_calls')])).toEqual([
      { name: 'search_menu', input: { query: 'tea' } },
      { name: 'search_menu', input: { query: 'rice' } },
    ]);
  });

  it('may have invalid JSON, which the tool refuses', async () => {
    expect(
      await calls([piece({ index: 0, id: 'a', function: { name: 'x', arguments: '{"que' } }), chunk({}, 'tool_calls')]),
    ).toEqual([{ name: 'x', input: '{"que' }]);
  });

  it('are bounded in size', async () => {
    server.answer({ raw: [piece({ index: 0, id: 'a', function: { name: 'x', arguments: 'x'.repeat(30_000) } })] });
    expect((await partsOf(engineWith())).error?.code).toBe('unavailable');
  });
});

it('the client of OpenAI reads the server of these tests in the same way', async () => {
  server.answer({ say: ['Lamb ', 'kabsa ', '🍚'] });
  const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: '{}' });
  const stream = Stream.fromSSEResponse<OpenAI.ChatCompletionChunk>(response, new AbortController());
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  expect(text).toBe('Lamb kabsa 🍚');
});
