import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, type EngineRequest, ModelError, type Part, type Usage } from '../engine.ts';
import type { OpenAiSettings } from '../engine-settings.ts';
import { ModelCall, stallMilliseconds } from '../model-call.ts';
import { ThinkFilter } from '../think-filter.ts';
import { finishReason, parseChunk } from './openai-chunk.ts';
import { openAiKey } from './openai-key.ts';
import { openAiBody } from './openai-request.ts';
import { serverEvents } from './server-events.ts';
import { ToolCallPieces } from './tool-call-pieces.ts';

export interface OpenAiOptions {
  /** @default 30,000 */
  readonly stallMilliseconds?: number;
}

/** A busy server is asked once more, if it does not ask for more patience than this. */
const retryMillisecondsMax = 5_000;
const retryMilliseconds = 500;

/**
 * Any server with the chat completions of OpenAI.
 * @throws ModelError when there is no address to call
 */
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
  try {
    const answer = await ask(call, address, settings, request);
    yield* partsOf(call, serverEvents(answer), new ToolCallPieces(`call_${request.messages.length}_`));
  } catch (error) {
    throw call.failure(error, () => new ModelError('unavailable', 'The connection to the model broke.'));
  } finally {
    call.end();
  }
}

/** @throws ModelError for every status but 200 */
async function ask(call: ModelCall, address: string, settings: OpenAiSettings, request: EngineRequest) {
  const body = openAiBody(request, settings);
  let key = await openAiKey(settings);
  for (let tries = 1; ; tries++) {
    const headers = headersWith(key, request.traceparent);
    const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: call.signal });
    if (answer.status === 200 && answer.body) return answer.body;
    await answer.body?.cancel();
    if (isRefusedKey(answer.status) && tries === 1) {
      const refused = key;
      key = await openAiKey(settings, refused);
      if (key !== refused) continue;
    }
    const wait = answer.status === 429 || answer.status === 503 ? retryAfter(answer.headers) : undefined;
    if (wait === undefined || wait > retryMillisecondsMax || tries === 2) throw statusError(answer.status);
    call.pause();
    await pause(wait, undefined, { signal: call.signal });
    call.progress();
  }
}

const headersWith = (key: string | undefined, traceparent: string | undefined) => ({
  accept: 'text/event-stream',
  'content-type': 'application/json',
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
  ...(traceparent !== undefined && { traceparent }),
});

const isRefusedKey = (status: number): boolean => status === 401 || status === 403;

/** Milliseconds. A date, which this header may also be, counts as too long. */
function retryAfter(headers: Headers): number {
  const header = headers.get('retry-after');
  return header === null ? retryMilliseconds : /^\d{1,4}$/.test(header) ? Number(header) * 1_000 : Infinity;
}

function statusError(status: number): ModelError {
  const message = `The model's server answered ${status}.`;
  if (status === 429) return new ModelError('throttled', message);
  if (isRefusedKey(status)) return new ModelError('auth', message);
  if (status === 404) return new ModelError('model_not_found', message);
  if (status === 408 || status === 504) return new ModelError('timeout', message);
  return new ModelError(status >= 400 && status < 500 ? 'invalid' : 'unavailable', message);
}

/** The reply is complete with a finish reason and not without; a [DONE] alone is no end mark. */
async function* partsOf(call: ModelCall, events: AsyncIterable<string>, tools: ToolCallPieces): AsyncGenerator<Part> {
  const thoughts = new ThinkFilter();
  let finish: string | undefined;
  let usage: Usage | undefined;
  try {
    for await (const data of events) {
      if (data === '[DONE]') break;
      const chunk = parseChunk(data);
      call.progress();
      tools.add(chunk.toolCalls);
      const text = thoughts.push(chunk.text);
      if (text !== '') yield { type: 'text', delta: text };
      // Servers that count in every chunk count from the beginning.
      usage = chunk.usage ?? usage;
      finish ??= chunk.finishReason;
      if (finish !== undefined) call.complete();
    }
  } catch (error) {
    if (!call.isComplete) throw error;
  }
  if (finish === undefined) throw new ModelError('unavailable', 'The stream ended without a finish reason.');
  const rest = thoughts.end();
  if (rest !== '') yield { type: 'text', delta: rest };
  if (usage) yield { type: 'usage', ...usage };
  const reason = finishReason(finish, !tools.isEmpty);
  if (reason === 'tool_calls') for (const toolCall of tools.finish()) yield { type: 'tool-call', ...toolCall };
  yield { type: 'finish', reason };
}
