import { type Engine, type EngineRequest, ModelError, type Part } from '../engine.ts';
import type { OpenAiSettings } from '../engine-settings.ts';
import { ModelCall, stallMilliseconds } from '../model-call.ts';
import { assembleReply } from '../reply-assembly.ts';
import { askServer } from './ask-server.ts';
import { finishReason, parseChunk } from './openai-chunk.ts';
import { addToolCalls } from './openai-tool-calls.ts';
import { serverEvents } from './server-events.ts';

export interface OpenAiOptions {
  /** @default 30,000 */
  readonly stallMilliseconds?: number;
}

/** An engine for any server with OpenAI's chat completions. @throws ModelError without an address */
export function openAiEngine(settings: OpenAiSettings, options: OpenAiOptions = {}): Engine {
  const address = completionsAddress(settings.baseUrl);
  return { stream: (request) => streamReply(request, settings, address, options) };
}

function completionsAddress(baseUrl: string | undefined): string {
  const url = URL.parse(`${(baseUrl ?? '').replace(/\/+$/, '')}/chat/completions`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ModelError('model_not_found', 'OPENAI_BASE_URL is not set to an http or https address.');
  }
  return url.href;
}

async function* streamReply(
  request: EngineRequest,
  settings: OpenAiSettings,
  address: string,
  options: OpenAiOptions,
): AsyncGenerator<Part> {
  const call = new ModelCall(request.signal, options.stallMilliseconds ?? stallMilliseconds);
  const idPrefix = `call_${request.messages.length}_`;
  try {
    const answer = await askServer(call, address, settings, request);
    yield* assembleReply(request, call, untilDone(serverEvents(answer)), {
      read: (data, calls) => {
        const { toolCalls, finishReason: end, ...piece } = parseChunk(data);
        addToolCalls(calls, toolCalls, idPrefix);
        return { ...piece, end };
      },
      finishReason,
    });
  } catch (error) {
    throw call.failure(error, () => new ModelError('unavailable', 'The connection to the model broke.'));
  } finally {
    call.end();
  }
}

/** `[DONE]` ends the stream, but is no end mark of the reply. */
async function* untilDone(events: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const data of events) {
    if (data === '[DONE]') return;
    yield data;
  }
}
