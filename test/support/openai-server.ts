import { type ModelServer, startModelServer, type Wire } from './model-server.ts';

/** A server with the chat completions of OpenAI; `url` is the base address, with `/v1`. */
export async function startOpenAiServer(): Promise<ModelServer> {
  const server = await startModelServer(openAiWire);
  return { ...server, url: `${server.url}/v1` };
}

const event = (value: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);

/** A chunk of a completion. */
export const chunk = (delta: object, finishReason: string | null = null): Buffer =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'test-model',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });

const openAiWire: Wire = {
  contentType: 'text/event-stream',
  begin: [chunk({ role: 'assistant', content: null })],
  text: (piece) => chunk({ content: piece }),
  thought: (piece) => chunk({ reasoning_content: piece, content: null }),
  toolCall: ({ id, name, input }, index) => {
    const text = JSON.stringify(input);
    const cut = Math.floor(text.length / 2);
    return [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, cut) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(cut) } }] }),
    ];
  },
  finish: (reason) => [
    chunk({}, reason === 'filtered' ? 'content_filter' : reason),
    event({ object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }),
    Buffer.from('data: [DONE]\n\n'),
  ],
  corrupt: Buffer.from('data: {"choices":[{"delta":{"cont\n\n'),
  failure: event({ error: { message: 'upstream-internals sk-live-0123456789', type: 'server_error', code: 500 } }),
  status: (_status, words) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { message: words, type: 'error' } }),
  }),
};
