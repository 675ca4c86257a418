import * as z from 'zod/mini';

/** Which models agents may name. */
export interface ModelChoice {
  /** The model for agents without their own. */
  readonly defaultModel: string | undefined;
  /** The models that agents may name beside the default one, each with its dialect; undefined for all. */
  readonly models: Models | undefined;
}

/** What one model takes; README.md describes each member. Models of one server differ, so it is of the model's record. */
export const modelDialect = z.readonly(
  z.strictObject({
    maxTokensField: z.optional(z.enum(['max_tokens', 'max_completion_tokens'])),
    reasoningEffort: z.optional(z.enum(['minimal', 'low', 'medium', 'high'])),
    reportsTokens: z.optional(z.boolean()),
    reasoningTokens: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
    cachesPrompts: z.optional(z.boolean()),
  }),
);

export type ModelDialect = z.infer<typeof modelDialect>;

/** By the names that agents give: `openai/<model>`, `bedrock/<model>`. */
export type Models = Readonly<Record<string, ModelDialect>>;

const modelRecords = /* @__PURE__ */ z.record(z.string(), modelDialect);

/** The settings that decide which models agents may name. */
export function modelChoice(
  { AI_MODEL, AI_MODELS }: Readonly<Record<string, string | undefined>> = process.env,
): ModelChoice {
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
export const allowsModel = (name: string, { defaultModel, models }: ModelChoice): boolean =>
  name.startsWith('offline/') || models === undefined || name === defaultModel || Object.hasOwn(models, name);

/** What the model takes; nothing special without a record of it. */
export const dialectOf = (name: string, { models = {} }: Pick<ModelChoice, 'models'>): ModelDialect =>
  Object.hasOwn(models, name) ? (models[name] ?? {}) : {};
