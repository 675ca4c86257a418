import { expect, it } from '@jest/globals';
import { bedrockEngine } from '#lib/ai/bedrock/bedrock-engine.ts';
import { setFunctionEnvironment } from '#lib/local/environment.ts';
import { startBedrockServer } from '#test/support/bedrock-server.ts';
import { partsOf } from '#test/support/engine-wires.ts';

const access = {
  endpoint: 'http://127.0.0.1:9',
  region: 'local',
  accessKeyId: 'engine-key',
  secretAccessKey: 'engine',
};

it('the local service calls Bedrock with its own key, never with those of the embedded engines', async () => {
  const server = await startBedrockServer();
  Object.assign(process.env, {
    AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key-1',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
    AWS_PROFILE: 'somebody',
  });
  setFunctionEnvironment(access, 'table', []);
  server.answer({ say: ['Hi.'] });
  expect(await partsOf(bedrockEngine())).toMatchObject({ text: 'Hi.', error: undefined });
  expect(server.calls[0]?.headers['authorization']).toBe('Bearer bedrock-key-1');
  expect(process.env['AWS_PROFILE']).toBeUndefined();
  await server.close();
});
