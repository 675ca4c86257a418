/** What the environment says about engines. */
export interface EngineSettings {
  /** For agents that name no model themselves. */
  readonly defaultModel: string | undefined;
  /** How many tokens the replies of each workspace may take on a day; without it there is no bound. */
  readonly tokensPerDay: number | undefined;
  readonly openAi: OpenAiSettings;
}

/** Where an OpenAI-compatible server is, and what its dialect needs. */
export interface OpenAiSettings {
  /** With `/v1`; without it no `openai/...` model can be reached. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** A secret of AWS Secrets Manager that holds the key instead. */
  readonly apiKeySecret: string | undefined;
  /** What the server calls the limit of a reply's length. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server may be asked to count tokens at the end of a stream. */
  readonly includeUsage: boolean;
}

/**
 * Reads the settings; a variable that is empty counts as absent.
 * @throws when the bound of tokens is no number, since to go on would be without a bound
 */
export function engineSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EngineSettings {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    defaultModel: read('AI_MODEL'),
    tokensPerDay: wholeNumber('AI_TOKENS_PER_DAY', read('AI_TOKENS_PER_DAY')),
    openAi: {
      baseUrl: read('OPENAI_BASE_URL'),
      apiKey: read('OPENAI_API_KEY'),
      apiKeySecret: read('OPENAI_API_KEY_SECRET'),
      maxTokensField:
        read('OPENAI_MAX_TOKENS_FIELD') === 'max_completion_tokens' ? 'max_completion_tokens' : 'max_tokens',
      includeUsage: read('OPENAI_INCLUDE_USAGE') !== 'false',
    },
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new Error(`${name} must be a whole number above 0.`);
  return Number(text);
}
