import * as z from 'zod/mini';

/** Settings of the engines, from the environment. */
export interface EngineSettings {
  /** The model for agents without their own. */
  readonly defaultModel: string | undefined;
  /** The models that agents may name beside the default one, each with its dialect; undefined for all. */
  readonly models: Models | undefined;
  /** The tokens per day for the replies of each workspace; undefined for no limit. */
  readonly tokensPerDay: number | undefined;
  readonly openAi: OpenAiSettings;
  readonly bedrock: BedrockSettings;
}

/** What one model takes. Models of one server differ, so this belongs to the model's record. */
export const modelDialect = z.readonly(
  z.strictObject({
    /** The parameter for the maximum length of a reply of an OpenAI-compatible server. @default found by trying */
    maxTokensField: z.optional(z.enum(['max_tokens', 'max_completion_tokens'])),
    /** Of an OpenAI-compatible server. @default low for OpenAI's own reasoning models */
    reasoningEffort: z.optional(z.enum(['minimal', 'low', 'medium', 'high'])),
    /** False if the OpenAI-compatible server refuses `stream_options`; tokens are then estimated. @default true */
    reportsTokens: z.optional(z.boolean()),
    /** Added to the token limit of every reply, for models whose hidden reasoning is part of the output. @default 0 */
    reasoningTokens: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    /** Whether Bedrock keeps system prompt and tools between calls; other models refuse it. @default false */
    cachesPrompts: z.optional(z.boolean()),
  }),
);

export type ModelDialect = z.infer<typeof modelDialect>;

/** By the names that agents give: `openai/<model>`, `bedrock/<model>`. */
export type Models = Readonly<Record<string, ModelDialect>>;

const modelRecords = /* @__PURE__ */ z.record(z.string(), modelDialect);

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

/** The settings that decide which models agents may name. */
export function modelChoice(
  { AI_MODEL, AI_MODELS }: Readonly<Record<string, string | undefined>> = process.env,
): Pick<EngineSettings, 'defaultModel' | 'models'> {
  const models = AI_MODELS?.trim() || undefined;
  return { defaultModel: AI_MODEL?.trim() || undefined, models: models === undefined ? undefined : readModels(models) };
}

function readModels(text: string): Models {
  try {
    return modelRecords.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error('AI_MODELS must be models and their dialects as JSON: {"openai/<model>": {}}.', { cause });
  }
}

/** Whether agents may name this model. Its calls are made with the operator's key and paid by the operator. */
export const allowsModel = (name: string, { defaultModel, models }: ReturnType<typeof modelChoice>): boolean =>
  name.startsWith('offline/') || models === undefined || name === defaultModel || Object.hasOwn(models, name);

/** What the model takes; nothing special without a record of it. */
export const dialectOf = (name: string, { models = {} }: Pick<EngineSettings, 'models'>): ModelDialect =>
  Object.hasOwn(models, name) ? (models[name] ?? {}) : {};

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new Error(`${name} must be a whole number above 0.`);
  return Number(text);
}
