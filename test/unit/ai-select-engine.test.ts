import { describe, expect, it } from '@jest/globals';
import { engineSettings } from '#lib/ai/engine.ts';
import { modelName, selectEngine } from '#lib/ai/select-engine.ts';

const settings = (environment: Readonly<Record<string, string>> = {}) => engineSettings(environment);

describe('the model of an agent', () => {
  it('is its own, else that of the environment, else the offline engine', () => {
    expect(modelName('openai/a', settings({ AI_MODEL: 'openai/b' }))).toBe('openai/a');
    expect(modelName(undefined, settings({ AI_MODEL: 'openai/b' }))).toBe('openai/b');
    expect(modelName(undefined, settings({ AI_MODEL: ' ' }))).toBe('offline/retrieval-1');
    expect(modelName(undefined, settings())).toBe('offline/retrieval-1');
  });
});

describe('the engine of a model', () => {
  it.each([
    ['offline/retrieval-1', 'retrieval-1'],
    ['bedrock/global.amazon.nova-2-lite-v1:0', 'global.amazon.nova-2-lite-v1:0'],
    [
      'bedrock/arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.x',
      'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.x',
    ],
    ['openai/meta-llama/Llama-3.3-70B', 'meta-llama/Llama-3.3-70B'],
  ])('%s is asked for %s', async (name, model) => {
    const selected = await selectEngine(name, settings({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }));
    expect(selected).toMatchObject({ name, model });
  });

  it.each([
    'offline/gpt-9',
    'offline/',
    'llama',
    'anthropic/claude',
    'openai/',
    '/x',
    '',
    'constructor/x',
    'openai/a b',
  ])('is none for %j', async (name) => {
    await expect(selectEngine(name, settings({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }))).rejects.toMatchObject({
      name: 'ModelError',
      code: 'model_not_found',
    });
  });

  it('is never another one, when it has no address', async () => {
    await expect(selectEngine('openai/gpt', settings())).rejects.toMatchObject({ code: 'model_not_found' });
  });
});

it.each(['openai/a', '[]', '{"openai/a":true}', '{"openai/a":{"effort":"low"}}', '{"openai/a":{"reasoningTokens":0}}'])(
  'Models that are not their records as JSON are refused, such as %j',
  (AI_MODELS) => {
    expect(() => settings({ AI_MODELS })).toThrow('AI_MODELS must be models and their dialects as JSON');
  },
);
