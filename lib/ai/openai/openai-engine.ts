import { createParser } from 'eventsource-parser';
import { type Engine, type EngineRequest, ModelError, type OpenAiSettings } from '../engine.ts';
import { stallMilliseconds } from '../model-call.ts';
import { streamReply, type ToolCallAssembly } from '../reply-assembly.ts';
import { askServer } from './ask-server.ts';
import { errorOf, finishReason, parseChunk } from './openai-chunk.ts';

/** An engine for any server with OpenAI's chat completions. @throws ModelError without an address */
export function openAiEngine(settings: OpenAiSettings, stall: number = stallMilliseconds): Engine {
  const address = completionsAddress(settings.baseUrl);
  const stream = (request: EngineRequest) =>
    streamReply<string>(request, stall, {
      ask: async (call) => untilDone(serverEvents(await askServer(call, address, settings, request))),
      read: (data, calls) => {
        const { toolCalls, finishReason: end, ...piece } = parseChunk(data);
        addToolCalls(calls, toolCalls, `call_${request.messages.length}_`);
        return { ...piece, end };
      },
      finishReason,
      failure: () => new ModelError('unavailable', 'The connection to the model broke.'),
    });
  return { stream };
}

function completionsAddress(baseUrl: string | undefined): string {
  const url = URL.parse(`${(baseUrl ?? '').replace(/\/+$/, '')}/chat/completions`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ModelError('model_not_found', 'OPENAI_BASE_URL is not set to an http or https address.');
  }
  return url.href;
}

/** `[DONE]` ends the stream, but is no end mark of the reply. */
async function* untilDone(events: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const data of events) {
    if (data === '[DONE]') return;
    yield data;
  }
}

/**
 * Adds the `tool_calls` of a delta, which may have any shape.
 * @param idPrefix for ids of calls that have none
 * @throws ModelError if they exceed the maximum size
 */
function addToolCalls(calls: ToolCallAssembly, pieces: unknown, idPrefix: string): void {
  if (!Array.isArray(pieces)) return;
  for (const [position, piece] of pieces.entries()) {
    const { index: sentIndex, id: sentId, function: called } = (piece ?? {}) as Record<string, unknown>;
    const index = typeof sentIndex === 'number' ? sentIndex : position;
    const id = typeof sentId === 'string' ? sentId.slice(0, 200) : '';
    const callId = calls.idAt(index);
    // Some servers give every call the same index; a new id is a new call.
    if (callId === undefined || (id !== '' && callId !== id)) calls.begin(index, id || `${idPrefix}${calls.count}`);
    const { name, arguments: input } = (called ?? {}) as Record<string, unknown>;
    calls.add(index, { name: typeof name === 'string' ? name : '', input: typeof input === 'string' ? input : '' });
    if (input && typeof input !== 'string') calls.replaceInput(index, JSON.stringify(input));
  }
}

/** Far more than the longest reply with its framing. */
const bytesMax = 32 * 1_048_576;
const eventCharactersMax = 1_048_576;

/**
 * The data of each event of a stream, as it arrives, without comments. The last event may lack its blank line, which
 * some servers leave out.
 * @throws ModelError, errors of the connection
 */
async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  let failure: ModelError | undefined;
  const parser = createParser({
    maxBufferSize: eventCharactersMax,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type, field, value }) => {
      if (type === 'max-buffer-size-exceeded') failure = new ModelError('unavailable', 'An event is too long.');
      // Some builds of llama.cpp report errors in their own field.
      else if (field === 'error') failure ??= errorOfField(value);
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  const eventsIn = function* (text: string): Generator<string> {
    parser.feed(text);
    yield* events.splice(0);
    if (failure) throw failure;
  };
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw new ModelError('unavailable', 'The answer of the model is too long.');
    yield* eventsIn(decoder.decode(piece, { stream: true }));
  }
  yield* eventsIn(`${decoder.decode()}\n\n`);
}

function errorOfField(value: string | undefined): ModelError {
  try {
    return errorOf(JSON.parse(value ?? ''));
  } catch {
    return errorOf({});
  }
}
