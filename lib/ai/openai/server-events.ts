import { createParser } from 'eventsource-parser';
import { ModelError } from '../engine.ts';
import { errorOf } from './openai-chunk.ts';

/** Far more than the longest reply with its framing. */
const bytesMax = 32 * 1_048_576;
const eventCharactersMax = 1_048_576;

/**
 * The data of each event of a stream, as it arrives, without comments. The last event may lack its blank line, which
 * some servers leave out.
 * @throws ModelError, errors of the connection
 */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let events: string[] = [];
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
  for await (const piece of withEnd(body)) {
    bytes += piece?.byteLength ?? 0;
    if (bytes > bytesMax) throw new ModelError('unavailable', 'The answer of the model is too long.');
    parser.feed(piece ? decoder.decode(piece, { stream: true }) : `${decoder.decode()}\n\n`);
    const arrived = events;
    events = [];
    yield* arrived;
    if (failure) throw failure;
  }
}

async function* withEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  yield* body;
  yield undefined;
}

function errorOfField(value: string | undefined): ModelError {
  try {
    return errorOf(JSON.parse(value ?? ''));
  } catch {
    return errorOf({});
  }
}
