/** A piece of a reply, in the order in which an engine makes them; `finish` is the last one. */
export type Part =
  | { readonly type: 'text'; readonly delta: string }
  | ({ readonly type: 'tool-call' } & ToolCall)
  | ({ readonly type: 'usage' } & Usage)
  | Finish;

interface Finish {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** Whether the reply cites only records that it names. */
  readonly citesNamedOnly?: boolean;
}

/** Only a reply that has one of these is complete; `length` and `filtered` replies end early but are finished. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'filtered';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A look-up that a model asks for. The input must be checked: the model may not have followed the schema. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  /** That of the call. */
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly output: string;
}

/** The conversation so far. Customers' texts are always turns of the user, data always results of tools. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface EngineRequest {
  /** The name of the model at the engine, without the engine's own name. */
  readonly model: string;
  /** Instructions about who answers and how. They never hold a customer's text. */
  readonly system: string;
  /** Oldest first; the last one is the user's or a tool's. */
  readonly messages: readonly Turn[];
  readonly tools: readonly ToolDefinition[];
  /** `none` asks for an answer without further look-ups. @default auto */
  readonly toolChoice?: 'auto' | 'none';
  /** The language of the reply. */
  readonly language: string;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  /** The W3C header that names the trace of the request to the server of the model. */
  readonly traceparent?: string | undefined;
  /** Ends the call, also that of the server behind it. */
  readonly signal: AbortSignal;
}

/** Makes a reply. A caller that leaves the loop early closes the connection behind it. */
export interface Engine {
  /** @throws ModelError and nothing else */
  stream(request: EngineRequest): AsyncIterable<Part>;
}

/** Why a model made no reply. */
export type ModelErrorCode =
  | 'throttled'
  | 'timeout'
  | 'auth'
  | 'model_not_found'
  | 'invalid'
  | 'unavailable'
  | 'aborted';

const retryable: ReadonlySet<ModelErrorCode> = new Set(['throttled', 'timeout', 'unavailable']);

/**
 * The error of all engines. Its message is ours. The text of the model's server is dropped, because it may contain
 * parts of keys or internals.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** Whether the same call may succeed a little later. */
  readonly retryable: boolean;

  constructor(code: ModelErrorCode, message: string) {
    super(message);
    this.code = code;
    this.retryable = retryable.has(code);
  }
}

/** Whether an error is an engine's; one that is bundled as a file of its own has a class of its own. */
export const isModelError = (error: unknown): error is ModelError =>
  error instanceof Error && error.name === 'ModelError';
