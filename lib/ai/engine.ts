import { type ModelChoice, type ModelDialect, modelChoice } from './model-choice.ts';

/** A part of a reply, in the order of the engine. `finish` is the last one. */
export type Part =
  | { readonly type: 'text'; readonly delta: string }
  | ({ readonly type: 'tool-call' } & ToolCall)
  | ({ readonly type: 'usage' } & Usage)
  | Finish;

interface Finish {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** True if the reply cites only records that it names. */
  readonly citesNamedOnly?: boolean;
}

/** A reply is complete only with one of these. `length` and `filtered` replies are cut off, but finished. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'filtered';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A model's call of a tool. The input may not follow the schema, so the tool checks it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly output: string;
}

/** A turn of the conversation. Customers' texts are always turns of the user; data are always results of tools. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

/** A tool's description for a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface EngineRequest {
  /** The model's name without the engine's prefix. */
  readonly model: string;
  /** Instructions for the reply. They never contain a customer's text. */
  readonly system: string;
  /** Oldest first. The last turn is the user's or a tool's. */
  readonly messages: readonly Turn[];
  readonly tools: readonly ToolDefinition[];
  /** `none` forbids further calls of tools. @default auto */
  readonly toolChoice?: 'auto' | 'none';
  /** The language of the reply. */
  readonly language: string;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  /** What the model takes. @default nothing special */
  readonly dialect?: ModelDialect;
  /** True if the model's text begins with reasoning whose opening tag is in the prompt. */
  readonly reasoning?: boolean | undefined;
  /** The W3C trace header of the request, for the model's server. */
  readonly traceparent?: string | undefined;
  /** Ends the call, and the request to the model's server. */
  readonly signal: AbortSignal;
}

/** Makes a reply. When the caller leaves the loop early, the connection closes. */
export interface Engine {
  /** @throws only ModelError */
  stream(request: EngineRequest): AsyncIterable<Part>;
}

/** The reason for a failed reply. */
export type ModelErrorCode =
  | 'throttled'
  | 'timeout'
  | 'auth'
  | 'model_not_found'
  | 'invalid'
  | 'unavailable'
  | 'aborted';

/**
 * The error of all engines, with the service's own message. The text of the model's server is dropped, because it may
 * contain parts of keys or internals.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * True for an engine's error. An engine in a bundle of its own has another class object, so `instanceof` would fail.
 */
export const isModelError = (error: unknown): error is ModelError =>
  error instanceof Error && error.name === 'ModelError';

/** Translates an HTTP status of a model's server. */
export function codeOfStatus(status: number): ModelErrorCode {
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_not_found';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 400 && status < 500 ? 'invalid' : 'unavailable';
}

/** Settings of the engines, from the environment. */
export interface EngineSettings extends ModelChoice {
  /** The tokens per day for the replies of each workspace; undefined for no limit. */
  readonly tokensPerDay: number | undefined;
  readonly openAi: OpenAiSettings;
  readonly bedrock: BedrockSettings;
}

/** Settings of every call of Bedrock. */
export interface BedrockSettings {
  readonly guardrail: { readonly id: string; readonly version: string } | undefined;
}

/** Address and key of an OpenAI-compatible server. */
export interface OpenAiSettings {
  /** Includes `/v1`. Without it, no `openai/...` model is available. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The ARN of a secret with the key, instead of the key itself. */
  readonly apiKeySecret: string | undefined;
}

/**
 * Reads the settings. An empty variable is absent.
 * @throws if the token limit is not a number, because the service would otherwise run without a limit; if the models
 * are not their records as JSON
 */
export function engineSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EngineSettings {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const guardrail = read('BEDROCK_GUARDRAIL_ID');
  return {
    ...modelChoice(environment),
    tokensPerDay: wholeNumber('AI_TOKENS_PER_DAY', read('AI_TOKENS_PER_DAY')),
    openAi: {
      baseUrl: read('OPENAI_BASE_URL'),
      apiKey: read('OPENAI_API_KEY'),
      apiKeySecret: read('OPENAI_API_KEY_SECRET'),
    },
    bedrock: {
      guardrail:
        guardrail === undefined ? undefined : { id: guardrail, version: read('BEDROCK_GUARDRAIL_VERSION') ?? 'DRAFT' },
    },
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new Error(`${name} must be a whole number above 0.`);
  return Number(text);
}
