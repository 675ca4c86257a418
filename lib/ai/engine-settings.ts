import { type ModelChoice, modelChoice } from './model-choice.ts';

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
