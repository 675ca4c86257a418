import { describe, expect, it } from '@jest/globals';
import { bedrockEngine } from '#lib/ai/bedrock/bedrock-engine.ts';
import { engineSettings } from '#lib/ai/engine.ts';
import { dialectOf } from '#lib/ai/model-choice.ts';
import { firstDialect, nextDialect } from '#lib/ai/openai/dialect.ts';
import { openAiEngine } from '#lib/ai/openai/openai-engine.ts';
import { startBedrockServer } from '#test/support/bedrock-server.ts';
import { engineRequest, engineWires, partsOf } from '#test/support/engine-wires.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';

const hello = { say: ['Hello.'] };

describe.each(engineWires)('with $name', ({ connect }) => {
  it('calls a model that refuses a temperature a second time without one', async () => {
    const { server, engine } = await connect();
    const text = "Unsupported value: 'temperature' does not support 0.2 with this model.";
    server.answer({ status: 400, text }, hello);
    const { text: said, error } = await partsOf(engine, engineRequest({ temperature: 0.2, model: 'strict' }));
    expect([said, error]).toEqual(['Hello.', undefined]);
    expect(JSON.stringify(server.calls[0]?.body)).toContain('temperature');
    expect(JSON.stringify(server.calls[1]?.body)).not.toContain('temperature');
    await server.close();
  });

  it.each([{ status: 500 }, { status: 502 }, 'reset at once'] as const)(
    'a failure before the first byte (%j) is retried one time',
    async (script) => {
      const { server, engine } = await connect();
      server.answer(script, hello);
      expect(await partsOf(engine)).toMatchObject({ text: 'Hello.', error: undefined });
      server.answer(script);
      expect((await partsOf(engine)).error).toMatchObject({ name: 'ModelError', code: 'unavailable' });
      expect(server.calls).toHaveLength(2);
      await server.close();
    },
  );

  it('fails immediately for any other 400, and stores nothing of its text', async () => {
    const { server, engine } = await connect();
    server.answer({ status: 400 });
    const { error } = await partsOf(engine);
    expect(error).toMatchObject({ code: 'invalid' });
    expect(server.calls).toHaveLength(1);
    await server.close();
  });
});

describe('the parameters of OpenAI-compatible servers', () => {
  const own = 'https://api.openai.com/v1/chat/completions';

  it.each([
    ['gpt-5-mini', own, { maxTokensField: 'max_completion_tokens', takesTemperature: false, reasoningEffort: 'low' }],
    ['o4-mini', own, { maxTokensField: 'max_completion_tokens', takesTemperature: false, reasoningEffort: 'low' }],
    ['gpt-4.1', own, { maxTokensField: 'max_completion_tokens', takesTemperature: true, reasoningEffort: undefined }],
    [
      'gpt-4o',
      'https://mine.openai.azure.com/openai/v1/chat/completions',
      { maxTokensField: 'max_completion_tokens', takesTemperature: true, reasoningEffort: undefined },
    ],
    [
      'gpt-5-clone',
      'http://127.0.0.1:8000/v1/chat/completions',
      { maxTokensField: 'max_tokens', takesTemperature: true, reasoningEffort: undefined },
    ],
    [
      'gpt-4o',
      'https://api.openai.com.evil.example/v1/chat/completions',
      { maxTokensField: 'max_tokens', takesTemperature: true, reasoningEffort: undefined },
    ],
  ])('the parameters of %s at %s', (model, address, dialect) => {
    expect(firstDialect(model, address)).toEqual(dialect);
  });

  it("follow the model's record, which leaves other models alone", () => {
    const dialect = { maxTokensField: 'max_tokens', reasoningEffort: 'high' };
    const settings = engineSettings({ AI_MODELS: JSON.stringify({ 'openai/gpt-5': dialect }) });
    expect(dialectOf('openai/gpt-5-mini', settings)).toEqual({});
    expect(dialectOf('openai/constructor', settings)).toEqual({});
    expect(firstDialect('gpt-5', own, dialectOf('openai/gpt-5', settings))).toMatchObject({
      maxTokensField: 'max_tokens',
      reasoningEffort: 'high',
    });
  });

  it('change for the parameter that a refusal names, and for nothing else', () => {
    const dialect = firstDialect('gpt-5', own);
    expect(nextDialect(dialect, 'Unknown parameter: reasoning_effort')?.reasoningEffort).toBeUndefined();
    expect(nextDialect(dialect, "Use 'max_tokens' instead.")?.maxTokensField).toBe('max_tokens');
    expect(nextDialect(dialect, 'The image is too large.')).toBeUndefined();
  });

  it('are detected one time for each model, and then cached', async () => {
    const server = await startOpenAiServer();
    const engine = openAiEngine(engineSettings({ OPENAI_BASE_URL: server.url }).openAi);
    const text = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    server.answer({ status: 400, text }, hello);
    expect((await partsOf(engine, engineRequest({ model: 'newer' }))).text).toBe('Hello.');
    expect(server.calls[1]?.body).toMatchObject({ max_completion_tokens: 100 });
    expect(server.calls[1]?.body).not.toHaveProperty('max_tokens');
    server.answer(hello);
    await partsOf(engine, engineRequest({ model: 'newer' }));
    expect(server.calls.map(({ body }) => body.max_completion_tokens)).toEqual([100]);
    server.answer({ status: 400, text });
    expect((await partsOf(engine, engineRequest({ model: 'impossible' }))).error).toMatchObject({ code: 'invalid' });
    expect(server.calls.length).toBeLessThanOrEqual(6);
    await server.close();
  });
});

describe('the settings of Bedrock', () => {
  it('put a guardrail and marks for the prompt cache into every call, and the trace into its header', async () => {
    const server = await startBedrockServer();
    Object.assign(process.env, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url });
    const variables = { BEDROCK_GUARDRAIL_ID: 'gr-1', BEDROCK_GUARDRAIL_VERSION: '3' };
    const engine = bedrockEngine(engineSettings(variables).bedrock);
    server.answer(hello);
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect((await partsOf(engine, engineRequest({ tools, traceparent, dialect: { cachesPrompts: true } }))).text).toBe(
      'Hello.',
    );
    const [{ body, headers } = { body: {}, headers: {} }] = server.calls;
    expect(body.guardrailConfig).toEqual({
      guardrailIdentifier: 'gr-1',
      guardrailVersion: '3',
      streamProcessingMode: 'sync',
    });
    expect(body.system.at(-1)).toEqual({ cachePoint: { type: 'default' } });
    expect(body.toolConfig.tools.at(-1)).toEqual({ cachePoint: { type: 'default' } });
    expect(headers).toMatchObject({ traceparent });
    await server.close();
  });

  it('are absent by default', () => {
    expect(engineSettings({}).bedrock).toEqual({ guardrail: undefined });
  });
});
