import { expect, it } from '@jest/globals';
import { startBedrockServer } from '#test/support/bedrock-server.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { eventsOf } from '#test/support/presets/chat.ts';
import { LocalService } from '#test/support/processes.ts';

const kinds = [
  {
    model: 'bedrock/some.model-v1:0',
    open: startBedrockServer,
    environment: (url: string) => ({ AWS_BEARER_TOKEN_BEDROCK: 'key', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url }),
  },
  {
    model: 'openai/some-model',
    open: startOpenAiServer,
    environment: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key' }),
  },
];

it.each(kinds)('the deployed service streams the replies of $model', async ({ model, open, environment }) => {
  const server = await open();
  Object.assign(process.env, environment(server.url), { AI_MODEL: model });
  const service = await LocalService.start();
  try {
    const input = { query: 'lamb' };
    // The model waits until the client has the first text, so no part of the path may buffer it.
    const heard = Promise.withResolvers<void>();
    server.answer(
      { say: ['One moment. '], call: [{ id: 'call_1', name: 'search_menu', input }] },
      { say: ['Yes, ', 'lamb.'], until: heard.promise },
    );
    const response = await fetch(`${service.url}/api/v1/connect/ai-stream`, {
      method: 'POST',
      headers: { 'x-api-key': 'saffron-desk-key-0000000000', 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' }),
    });
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.includes('"type":"delta"')) heard.resolve();
    }
    const events = eventsOf(text);
    expect(events.at(-1)).toMatchObject({ type: 'done', text: expect.stringMatching(/^One moment\.\s+Yes, lamb\.$/) });
    expect(JSON.stringify(server.calls[1]?.body)).toMatch(/lamb-kabsa|Lamb/);
  } finally {
    await service.stop();
    await server.close();
  }
});
