import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type StopReason,
  type TokenUsage,
} from '@aws-sdk/client-bedrock-runtime';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import {
  type BedrockSettings,
  codeOfStatus,
  type Engine,
  type EngineRequest,
  type FinishReason,
  ModelError,
  type ModelErrorCode,
} from '../engine.ts';
import { type ModelCall, stallMilliseconds } from '../model-call.ts';
import { streamReply, type Wire } from '../reply-assembly.ts';
import { bedrockInput } from './bedrock-request.ts';

/** Retries of a busy model are few and soon, because a wait counts towards the stall timeout. */
const attempts = 2;
const retryMilliseconds = 300;

/** An engine for Amazon Bedrock, with the endpoint, region and credentials of the environment. */
export function bedrockEngine(
  settings: BedrockSettings = { guardrail: undefined },
  stall: number = stallMilliseconds,
): Engine {
  const client = bedrockClient(stall);
  const stream = (request: EngineRequest) =>
    streamReply<ConverseStreamOutput>(request, stall, {
      ask: async (call) => (await ask(client, request, settings, call)).stream ?? [],
      read: readEvent,
      finishReason: (end, calledTools) => finishReason(end as StopReason, calledTools),
      failure: bedrockFailure,
    });
  return { stream };
}

/**
 * Uses HTTP/1.1. With HTTP/2, the client's default, a stall or a dropped connection would look like the end of a
 * complete reply.
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

/** Calls the model. If it refuses a temperature, retries without one. */
async function ask(client: BedrockRuntimeClient, request: EngineRequest, settings: BedrockSettings, call: ModelCall) {
  const options = { abortSignal: call.signal };
  try {
    return await client.send(commandOf(request, settings), options);
  } catch (error) {
    const { name = '', message = '' } = error as Partial<Error>;
    const refusesTemperature = name === 'ValidationException' && /temperature/i.test(message);
    if (!refusesTemperature || request.temperature === undefined) throw error;
    call.progress();
    return client.send(commandOf({ ...request, temperature: undefined }, settings), options);
  }
}

function commandOf(request: EngineRequest, settings: BedrockSettings): ConverseStreamCommand {
  const command = new ConverseStreamCommand(bedrockInput(request, settings));
  const { traceparent } = request;
  if (traceparent === undefined) return command;
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> };
      headers['traceparent'] = traceparent;
      return next(args);
    },
    { step: 'build', name: 'traceparent' },
  );
  return command;
}

const readEvent: Wire<ConverseStreamOutput>['read'] = (
  { contentBlockStart, contentBlockDelta, messageStop, metadata },
  calls,
) => {
  const { toolUseId: id = '', name = '' } = contentBlockStart?.start?.toolUse ?? {};
  if (id !== '') {
    const index = contentBlockStart?.contentBlockIndex ?? 0;
    calls.begin(index, id);
    calls.add(index, { name });
  }
  const { text, toolUse, reasoningContent } = contentBlockDelta?.delta ?? {};
  calls.add(contentBlockDelta?.contentBlockIndex ?? 0, { input: toolUse?.input ?? '' });
  return {
    text: text ?? '',
    isReasoning: reasoningContent !== undefined,
    end: messageStop && (messageStop.stopReason ?? 'end_turn'),
    usage: metadata?.usage && {
      inputTokens: allInput(metadata.usage),
      outputTokens: metadata.usage.outputTokens ?? 0,
    },
  };
};

/** Bedrock reports tokens written to or read from its cache separately. */
const allInput = ({ inputTokens = 0, cacheReadInputTokens = 0, cacheWriteInputTokens = 0 }: Partial<TokenUsage>) =>
  inputTokens + cacheReadInputTokens + cacheWriteInputTokens;

/** @throws ModelError for a reason that means a failure of the model */
function finishReason(reason: StopReason, calledTools: boolean): FinishReason {
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
      return calledTools ? 'tool_calls' : 'stop';
  }
}

const codes: Readonly<Record<string, ModelErrorCode>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ModelNotReadyException: 'throttled',
  ModelErrorException: 'unavailable',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
  AccessDeniedException: 'auth',
  ExpiredTokenException: 'auth',
  UnrecognizedClientException: 'auth',
  InvalidSignatureException: 'auth',
  CredentialsProviderError: 'auth',
  TokenProviderError: 'auth',
  ResourceNotFoundException: 'model_not_found',
  ValidationException: 'invalid',
};

/** The SDK also reports a connection that breaks before the answer as a timeout. */
const brokenCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/** Translates an error of the SDK. Only listed names are passed on, because other texts may contain internals. */
export function bedrockFailure(error: unknown): ModelError {
  const { name = '', code, $metadata } = (error ?? {}) as Failure;
  const status = $metadata?.httpStatusCode;
  const knownCode = Object.hasOwn(codes, name) && !brokenCodes.includes(code) ? codes[name] : undefined;
  const meaning =
    knownCode ?? (status !== undefined && status >= 400 && status < 600 ? codeOfStatus(status) : undefined);
  if (meaning && (knownCode || meaning !== 'unavailable'))
    return new ModelError(meaning, `Bedrock answered ${knownCode ? name : status}.`);
  return new ModelError('unavailable', 'The connection to Bedrock broke, or Bedrock failed.');
}

interface Failure {
  readonly name?: string;
  /** The error code of Node.js. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
