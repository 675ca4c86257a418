import { type FinishReason, ModelError, type Usage } from '../engine.ts';

/** A chunk of a chat completion. Servers omit properties, send null, or add their own. */
export interface OpenAiChunk {
  readonly text: string;
  /** True for reasoning that the server has separated from the text. */
  readonly isReasoning: boolean;
  readonly toolCalls: unknown;
  /** The reason in the server's words. */
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}

type Loose = Record<string, unknown>;

/** @throws ModelError if the chunk is not JSON or contains an error */
export function parseChunk(data: string): OpenAiChunk {
  const chunk = looseObject(parseJson(data));
  if (chunk['error']) throw errorOf(chunk['error']);
  const choices = chunk['choices'];
  const choice = looseObject(Array.isArray(choices) ? choices[0] : undefined);
  const delta = looseObject(choice['delta']);
  const { content, tool_calls: toolCalls, refusal, reasoning, reasoning_content: reasoningContent } = delta;
  const finish = choice['finish_reason'];
  return {
    // A refusal is shown to the customer like other text.
    text: textOf(content) ?? textOf(refusal) ?? '',
    isReasoning: [reasoning, reasoningContent].some((thought) => typeof thought === 'string' && thought !== ''),
    toolCalls,
    finishReason: typeof finish === 'string' && finish !== '' ? finish : undefined,
    usage: usageOf(chunk['usage']),
  };
}

/** Finish reasons that announce tool calls. */
const endsOfCalls: ReadonlySet<string> = new Set(['tool_calls', 'function_call']);

/** @throws ModelError for a reason that means a failure of the server */
export function finishReason(reason: string, calledTools: boolean): FinishReason {
  if (reason === 'error' || reason === 'abort') throw new ModelError('unavailable', 'The model gave up.');
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  if (reason === 'content_filter') return 'filtered';
  if (endsOfCalls.has(reason) && !calledTools) throw new ModelError('unavailable', 'The model named no call.');
  // Some servers also end with `stop` after tool calls.
  return calledTools ? 'tool_calls' : 'stop';
}

/** An error in the middle of a stream that began as a success. Its text is not passed on. */
export function errorOf(error: unknown): ModelError {
  const { code, status, type } = looseObject(typeof error === 'string' ? parseJson(error) : error);
  const statusCode = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  if (statusCode === 429 || /rate_limit/.test(`${type} ${code}`)) {
    return new ModelError('throttled', 'The model is busy, as an error in its stream says.');
  }
  return new ModelError('unavailable', 'There was an error in the stream of the model.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelError('unavailable', 'The model sent something that is not JSON.');
  }
}

const looseObject = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

/** A string or, from some servers, the texts of a list of parts. Reasoning parts are ignored. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (looseObject(part)['type'] === 'text' ? (textOf(part['text']) ?? '') : '')).join('');
}

function usageOf(value: unknown): Usage | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = looseObject(value);
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return { inputTokens, outputTokens };
}
