import { EventStreamCodec } from '@smithy/core/event-streams';
import { type ModelServer, startModelServer, upstreamText, type Wire } from './model-server.ts';

/** A server with Bedrock's ConverseStream, in its binary event stream, over HTTP/1.1. */
export const startBedrockServer = (): Promise<ModelServer> => startModelServer(bedrockWire);

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/** A frame of the event stream. */
export function frame(kind: 'event' | 'exception', name: string, body: object): Buffer {
  const text = (value: string) => ({ type: 'string' as const, value });
  return Buffer.from(
    codec.encode({
      headers: {
        ':message-type': text(kind),
        [`:${kind}-type`]: text(name),
        ':content-type': text('application/json'),
      },
      body: Buffer.from(JSON.stringify(body)),
    }),
  );
}

const event = (name: string, body: object): Buffer => frame('event', name, body);

const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', filtered: 'content_filtered' };

const errorNames: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

/** A frame with a wrong checksum. */
function corruptFrame(): Buffer {
  const bytes = event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'never shown' } });
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 8) ^ 0xff, bytes.length - 8);
  return bytes;
}

const bedrockWire: Wire = {
  contentType: 'application/vnd.amazon.eventstream',
  begin: [event('messageStart', { role: 'assistant' })],
  text: (piece) => event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: piece } }),
  thought: (piece) =>
    event('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: piece } } }),
  toolCall: ({ id: toolUseId, name, input }, index) => {
    const text = JSON.stringify(input);
    const cut = Math.floor(text.length / 2);
    const contentBlockIndex = index + 1;
    const piece = (part: string) =>
      event('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: part } } });
    return [
      event('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } }),
      piece(text.slice(0, cut)),
      piece(text.slice(cut)),
      event('contentBlockStop', { contentBlockIndex }),
    ];
  },
  finish: (reason) => [
    event('messageStop', { stopReason: stopReasons[reason] }),
    event('metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 1 } }),
  ],
  corrupt: corruptFrame(),
  failure: frame('exception', 'modelStreamErrorException', { message: upstreamText }),
  status: (status, words) => ({
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': errorNames[status] ?? 'UnknownException' },
    body: JSON.stringify({ message: words }),
  }),
};
