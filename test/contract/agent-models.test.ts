import { afterAll, describe, expect, it } from '@jest/globals';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const model = await startOpenAiServer();
const limitTo = (...models: readonly string[]) => {
  const AI_MODELS = models.length === 0 ? '' : JSON.stringify(Object.fromEntries(models.map((name) => [name, {}])));
  Object.assign(process.env, { AI_MODELS });
};
Object.assign(process.env, { OPENAI_BASE_URL: model.url, AI_MODEL: 'openai/usual' });
afterAll(async () => {
  for (const name of ['AI_MODELS', 'AI_MODEL', 'OPENAI_BASE_URL']) delete process.env[name];
  await model.close();
});

describe('where the operator lists the models', () => {
  it('an agent with another one is refused when it is stored, alone and in bulk', async () => {
    const kitchen = await openWorkspace('records');
    limitTo('openai/small', 'openai/org/model:free', 'bedrock/vendor.model-v1:0');
    for (const allowed of [
      'openai/small',
      'openai/org/model:free',
      'openai/usual',
      'offline/retrieval-1',
      'bedrock/vendor.model-v1:0',
    ]) {
      const { status, json } = await kitchen.manage('POST agents', { name: 'A', model: allowed });
      expect([status, json.model]).toEqual([201, allowed]);
    }
    const message = 'model: Must be a model that the operator of the service allows.';
    const errors = [{ path: 'model', code: 'not_allowed', message }];
    for (const refused of [
      'openai/large',
      'openai/smal',
      'openai/small2',
      'openai/SMALL',
      'bedrock/vendor.other-v1:0',
    ]) {
      const created = await kitchen.manage('POST agents', { name: 'A', model: refused });
      expect([created.status, created.json]).toMatchObject([400, { code: 'validation_failed', errors }]);
      expect(await kitchen.manage('PATCH agents/agent_2', { model: refused })).toMatchObject({ status: 400 });
    }
    const change = { method: 'POST', kind: 'agents', record: { name: 'A', model: 'openai/large' } };
    const { json } = await kitchen.manage('POST changes', { changes: [change] });
    expect(json.results).toMatchObject([{ status: 400, error: { code: 'validation_failed' } }]);
  });

  it('a stored agent with another one fails to answer without a call, and may change otherwise', async () => {
    limitTo();
    const room = await openWorkspace('chat');
    const kitchen = await openWorkspace('records', ({ messaging }) => {
      messaging.agents.push({ id: 'agent_large', name: 'Large', model: 'openai/large' });
    });
    limitTo('openai/small');
    model.answer({ say: ['Hello.'] });
    expect((await room.ask()).end).toEqual({ type: 'error', error: 'The AI model is not available.' });
    expect(model.calls).toHaveLength(0);
    expect((await kitchen.manage('PATCH agents/agent_large', { name: 'Renamed' })).status).toBe(200);
    limitTo('openai/small', 'openai/test');
    expect((await room.ask({ agentId: 'agent_2' })).end).toMatchObject({ type: 'done', text: 'Hello.' });
  });
});

describe('an import, where the operator lists the models', () => {
  const withAgent = (document: object, model: string, exportedAt?: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: a document has this shape.
    const copy: any = structuredClone(document);
    copy.messaging.agents.push({ id: 'agent_paid', name: 'Paid', model });
    return exportedAt === undefined ? copy : { ...copy, exportedAt };
  };

  it.each(['openai/large', 'openai/org/model', 'openai/Small', 'bedrock/vendor.other-v1:0'])(
    'refuses an agent with %s',
    async (name) => {
      const { document } = await openWorkspace('records');
      limitTo('openai/small', 'openai/org/model:free');
      await expect(load(withAgent(document, name))).rejects.toThrow(/agent_paid.*model that the operator/s);
    },
  );

  it.each(['openai/small', 'openai/usual', 'offline/retrieval-1'])('takes an agent with %s', async (name) => {
    const kitchen = await openWorkspace('records');
    limitTo('openai/small');
    await load(withAgent(kitchen.document, name));
    expect((await kitchen.manage('GET agents/agent_paid')).json.model).toBe(name);
  });

  it('restores an export from before the list, whose agent then fails to answer', async () => {
    const kitchen = await openWorkspace('records');
    limitTo('openai/small');
    await load(withAgent(kitchen.document, 'openai/large', '2026-01-01T00:00:00.000Z'));
    expect((await kitchen.manage('GET agents/agent_paid')).json.model).toBe('openai/large');
  });
});

it('an agent has at most 20,000 characters of instructions and 4,096 tokens a reply, by import too', async () => {
  const kitchen = await openWorkspace('records');
  const fits = { name: 'A', instructions: '𝔞'.repeat(20_000), maxTokens: 4_096 };
  expect((await kitchen.manage('POST agents', fits)).status).toBe(201);
  const exceeds = { ...fits, instructions: '𝔞'.repeat(20_001), maxTokens: 4_097 };
  const { status, json } = await kitchen.manage('POST agents', exceeds);
  expect(status).toBe(400);
  expect(json.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
    'instructions max_length',
    'maxTokens max',
  ]);
  const document = structuredClone(kitchen.document);
  document.messaging.agents.push({ id: 'agent_long', ...exceeds });
  await expect(load(document)).rejects.toThrow(/agent_long/);
});
