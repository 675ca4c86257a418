import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type StopReason,
} from '@aws-sdk/client-bedrock-runtime';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type Engine, type EngineRequest, type FinishReason, ModelError, type Part } from '../engine.ts';
import { ModelCall, stallMilliseconds } from '../model-call.ts';
import { ThinkFilter } from '../think-filter.ts';
import { parseToolInput, toolCallsMax, toolInputCharactersMax, toolName } from '../tool-input.ts';
import { bedrockFailure } from './bedrock-failure.ts';
import { bedrockInput } from './bedrock-request.ts';

export interface BedrockOptions {
  /** @default 30,000 */
  readonly stallMilliseconds?: number;
}

/** A busy model is asked once more, soon: while we wait, it counts as silent. */
const attempts = 2;
const retryMilliseconds = 300;

/** Models of Amazon Bedrock; endpoint, region and credentials are those of the environment. */
export function bedrockEngine(options: BedrockOptions = {}): Engine {
  const stall = options.stallMilliseconds ?? stallMilliseconds;
  const client = bedrockClient(stall);
  return { stream: (request) => streamReply(client, request, stall) };
}

/**
 * Over HTTP/2, the client's own choice, a stall or a dropped connection ends the stream as if the reply were complete;
 * over HTTP/1.1 both are errors.
 */
function bedrockClient(stall: number): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    retryStrategy: new ConfiguredRetryStrategy(attempts, retryMilliseconds),
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 3_000,
      requestTimeout: 2 * stall,
      socketTimeout: 2 * stall,
      throwOnRequestTimeout: true,
    }),
  });
}

async function* streamReply(client: BedrockRuntimeClient, request: EngineRequest, stall: number): AsyncGenerator<Part> {
  const call = new ModelCall(request.signal, stall);
  try {
    const command = new ConverseStreamCommand(bedrockInput(request));
    const { stream } = await client.send(command, { abortSignal: call.signal });
    yield* partsOf(call, stream ?? []);
  } catch (error) {
    throw call.failure(error, bedrockFailure);
  } finally {
    call.end();
  }
}

type ConverseEvents = AsyncIterable<ConverseStreamOutput> | readonly ConverseStreamOutput[];

/** The reply is complete with messageStop and not without. */
async function* partsOf(call: ModelCall, events: ConverseEvents): AsyncGenerator<Part> {
  const thoughts = new ThinkFilter();
  const tools = new ToolUses();
  let stopped: StopReason | undefined;
  try {
    for await (const event of events) {
      call.progress();
      tools.add(event);
      const text = thoughts.push(event.contentBlockDelta?.delta?.text ?? '');
      if (text !== '') yield { type: 'text', delta: text };
      const { inputTokens = 0, outputTokens = 0 } = event.metadata?.usage ?? {};
      if (event.metadata?.usage) yield { type: 'usage', inputTokens, outputTokens };
      if (event.messageStop) {
        stopped = event.messageStop.stopReason ?? 'end_turn';
        call.complete();
      }
    }
  } catch (error) {
    if (!call.isComplete) throw error;
  }
  if (stopped === undefined) throw new ModelError('unavailable', 'The stream ended without messageStop.');
  const rest = thoughts.end();
  if (rest !== '') yield { type: 'text', delta: rest };
  const reason = finishReason(stopped);
  if (reason === 'tool_calls') yield* tools.finish();
  yield { type: 'finish', reason };
}

/** @throws ModelError when the reason is a failure of the model */
function finishReason(reason: StopReason): FinishReason {
  switch (reason) {
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'filtered';
    case 'malformed_model_output':
    case 'malformed_tool_use':
      throw new ModelError('unavailable', 'The model made no sense.');
    default:
      return 'stop';
  }
}

/** Tool calls, whose inputs come in pieces, by the number of their block. */
class ToolUses {
  readonly #uses = new Map<number, { readonly id: string; readonly name: string; input: string }>();

  add({ contentBlockStart, contentBlockDelta }: ConverseStreamOutput): void {
    const { toolUseId: id = '', name = '' } = contentBlockStart?.start?.toolUse ?? {};
    if (id !== '') this.#uses.set(contentBlockStart?.contentBlockIndex ?? 0, { id, name, input: '' });
    const use = this.#uses.get(contentBlockDelta?.contentBlockIndex ?? 0);
    const piece = contentBlockDelta?.delta?.toolUse?.input;
    if (use && piece !== undefined) use.input += piece;
    if (this.#uses.size > toolCallsMax || (use && use.input.length > toolInputCharactersMax)) {
      throw new ModelError('unavailable', 'There are too many tool calls, or one is too long.');
    }
  }

  /** @throws ModelError when there are none, though the model has stopped for them */
  *finish(): Generator<Part> {
    if (this.#uses.size === 0) throw new ModelError('unavailable', 'The model named no call.');
    for (const { id, name, input } of this.#uses.values()) {
      yield { type: 'tool-call', id, name: toolName(name), input: parseToolInput(input) };
    }
  }
}
