/** Settings of the engines, from the environment. */
export interface EngineSettings {
  /** The model for agents without their own. */
  readonly defaultModel: string | undefined;
  /** The tokens per day for the replies of each workspace; undefined for no limit. */
  readonly tokensPerDay: number | undefined;
  /** Added to the token limit of every reply, for models whose hidden reasoning is part of the output. */
  readonly reasoningTokens: number;
  readonly openAi: OpenAiSettings;
  readonly bedrock: BedrockSettings;
}

/** Settings of every call of Bedrock. */
export interface BedrockSettings {
  readonly guardrail: { readonly id: string; readonly version: string } | undefined;
  /** True if the model can cache the system prompt and tools. Other models refuse such requests. */
  readonly cachesPrompts: boolean;
}

/** Address and dialect of an OpenAI-compatible server. */
export interface OpenAiSettings {
  /** The models that agents may name, beside the default one; undefined for all. */
  readonly models: readonly string[] | undefined;
  /** Includes `/v1`. Without it, no `openai/...` model is available. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The ARN of a secret with the key, instead of the key itself. */
  readonly apiKeySecret: string | undefined;
  /** The server's parameter for the maximum length of a reply; undefined to try both. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' | undefined;
  /** `minimal`, `low`, `medium` or `high`; by default `low` for OpenAI's own reasoning models. */
  readonly reasoningEffort: string | undefined;
  /** True if the server can report tokens at the end of a stream. */
  readonly includeUsage: boolean;
}

/**
 * Reads the settings. An empty variable is absent.
 * @throws if the token limit is not a number, because the service would otherwise run without a limit
 */
export function engineSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EngineSettings {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined =>
    choices.find((choice) => choice === read(name));
  const guardrail = read('BEDROCK_GUARDRAIL_ID');
  return {
    defaultModel: modelChoice(environment).defaultModel,
    reasoningTokens: wholeNumber('AI_REASONING_TOKENS', read('AI_REASONING_TOKENS')) ?? 0,
    tokensPerDay: wholeNumber('AI_TOKENS_PER_DAY', read('AI_TOKENS_PER_DAY')),
    openAi: {
      models: modelChoice(environment).models,
      baseUrl: read('OPENAI_BASE_URL'),
      apiKey: read('OPENAI_API_KEY'),
      apiKeySecret: read('OPENAI_API_KEY_SECRET'),
      maxTokensField: oneOf('OPENAI_MAX_TOKENS_FIELD', ['max_tokens', 'max_completion_tokens'] as const),
      reasoningEffort: oneOf('OPENAI_REASONING_EFFORT', ['minimal', 'low', 'medium', 'high'] as const),
      includeUsage: read('OPENAI_INCLUDE_USAGE') !== 'false',
    },
    bedrock: {
      guardrail:
        guardrail === undefined ? undefined : { id: guardrail, version: read('BEDROCK_GUARDRAIL_VERSION') ?? 'DRAFT' },
      cachesPrompts: read('BEDROCK_PROMPT_CACHE') === 'on',
    },
  };
}

/** The settings that decide which models agents may name. */
export function modelChoice({ AI_MODEL, OPENAI_MODELS }: Readonly<Record<string, string | undefined>> = process.env): {
  readonly defaultModel: string | undefined;
  readonly models: readonly string[] | undefined;
} {
  const models = OPENAI_MODELS?.trim() || undefined;
  return { defaultModel: AI_MODEL?.trim() || undefined, models: models?.split(',').map((model) => model.trim()) };
}

/** Whether agents may name this model. Its calls are made with the operator's key. */
export const allowsModel = (name: string, { defaultModel, models }: ReturnType<typeof modelChoice>): boolean =>
  !name.startsWith(openAiPrefix) ||
  models === undefined ||
  name === defaultModel ||
  models.includes(name.slice(openAiPrefix.length));

const openAiPrefix = 'openai/';

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new Error(`${name} must be a whole number above 0.`);
  return Number(text);
}
