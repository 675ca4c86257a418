import type { Use } from '#lib/http/declaration.ts';
import type { Identity } from './identity.ts';
import type { Issuer } from './issuer.ts';
import type { Settings } from './settings.ts';

/**
 * The environment variables of functions. They contain no secrets, because everyone who may list functions can read
 * them.
 */
export interface Environment {
  /** The route table as JSON, of functions that answer requests. */
  readonly routes?: string;
  /** The secret of the edge; for functions that answer requests. */
  readonly originSecretArn?: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** The namespace of the metrics in log lines. */
  readonly metricNamespace: string;
  /** Base address of links to uploaded files. A function behind that address cannot know it. */
  readonly assetBaseUrl?: string | undefined;
  /** Of functions behind the HTTP API. */
  readonly identity?: Identity | undefined;
  readonly settings: Pick<
    Settings,
    | 'mailFrom'
    | 'keyCallsPerMinute'
    | 'aiModel'
    | 'aiTokensPerDay'
    | 'openaiBaseUrl'
    | 'openaiModels'
    | 'openaiKeySecretArn'
    | 'openaiMaxTokensField'
    | 'openaiReasoningEffort'
    | 'openaiIncludeUsage'
    | 'aiReasoningTokens'
    | 'bedrockGuardrailArn'
    | 'bedrockGuardrailVersion'
    | 'bedrockPromptCache'
  >;
}

/** Functions that answer links of files. */
const linking: readonly Use[] = ['files:write', 'files:link', 'table:media'];

/** Only the variables that a function needs for its `uses`. */
export function environmentFor(uses: readonly Use[], environment: Environment): Record<string, string> {
  const { routes, originSecretArn, tableName, bucketName, metricNamespace, assetBaseUrl, identity, settings } =
    environment;
  const usesSome = (kind: string) => uses.some((use) => use.startsWith(kind));
  const usesModel = uses.includes('model:invoke');
  const variables = {
    ROUTES: routes,
    ORIGIN_SECRET_ARN: originSecretArn,
    METRIC_NAMESPACE: metricNamespace,
    TABLE_NAME: usesSome('table:') ? tableName : undefined,
    FILES_BUCKET: uses.some((use) => use.startsWith('files:') && use !== 'files:link') ? bucketName : undefined,
    ASSET_BASE_URL: linking.some((use) => uses.includes(use)) ? assetBaseUrl : undefined,
    RATE_LIMIT: uses.includes('table:rate') ? settings.keyCallsPerMinute?.toString() : undefined,
    MAIL_FROM: uses.includes('mail:send') || mailsInvitations(uses, identity) ? settings.mailFrom : undefined,
    PUBLIC_URL: usesSome('identity:') || uses.includes('table:session') ? identity?.publicUrl : undefined,
    USER_POOL_ID: uses.includes('identity:invite') ? identity?.userPool?.userPoolId : undefined,
    ...(uses.includes('identity:sign-in') && identity && issuerVariables(identity.issuer)),
    // A function that stores agents refuses other models.
    OPENAI_MODELS: usesModel || uses.includes('table:transact') ? openAiModels(settings) : undefined,
    ...(usesModel && modelVariables(settings)),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const mailsInvitations = (uses: readonly Use[], identity: Identity | undefined): boolean =>
  uses.includes('identity:invite') && identity?.userPool === undefined;

const issuerVariables = (issuer: Issuer) => ({
  OIDC_ISSUER: issuer.issuer,
  OIDC_AUTHORIZE_URL: issuer.authorizeUrl,
  OIDC_TOKEN_URL: issuer.tokenUrl,
  OIDC_JWKS_URL: issuer.jwksUrl,
  OIDC_LOGOUT_URL: issuer.logoutUrl,
  OIDC_CLIENT_ID: issuer.clientId,
  OIDC_SECRET_ARN: issuer.secretArn,
});

/** Each variable is described in lib/ai/README.md. */
const modelVariables = (settings: Environment['settings']) => ({
  AI_MODEL: settings.aiModel,
  AI_TOKENS_PER_DAY: settings.aiTokensPerDay?.toString(),
  AI_REASONING_TOKENS: settings.aiReasoningTokens?.toString(),
  BEDROCK_GUARDRAIL_ID: settings.bedrockGuardrailArn,
  BEDROCK_GUARDRAIL_VERSION: settings.bedrockGuardrailVersion,
  BEDROCK_PROMPT_CACHE: settings.bedrockPromptCache ? 'on' : undefined,
  ...(settings.openaiBaseUrl !== undefined && openAiVariables(settings)),
});

/** The models of the OpenAI-compatible server that agents may name. */
export const openAiModels = ({
  aiModel,
  openaiModels,
  openaiBaseUrl,
}: Pick<Settings, 'aiModel' | 'openaiModels' | 'openaiBaseUrl'>): string | undefined =>
  openaiBaseUrl === undefined
    ? undefined
    : [...new Set([...(aiModel.startsWith('openai/') ? [aiModel.slice('openai/'.length)] : []), ...openaiModels])].join(
        ',',
      );

const openAiVariables = (settings: Environment['settings']) => ({
  OPENAI_BASE_URL: settings.openaiBaseUrl,
  OPENAI_API_KEY_SECRET: settings.openaiKeySecretArn,
  OPENAI_MAX_TOKENS_FIELD: settings.openaiMaxTokensField,
  OPENAI_REASONING_EFFORT: settings.openaiReasoningEffort,
  OPENAI_INCLUDE_USAGE: settings.openaiIncludeUsage ? undefined : 'false',
});
