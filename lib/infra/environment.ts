import type { Use } from '#lib/http/declaration.ts';
import type { Identity } from './identity.ts';
import type { Issuer } from './issuer.ts';
import type { Settings } from './settings.ts';

/**
 * The environment variables of functions. They contain no secrets, because everyone who may list functions can read
 * them.
 */
export interface Environment {
  /** The route table, of functions for which their own routes are not enough. */
  readonly routes?: string | undefined;
  /** The secret of the edge; for functions that answer requests. */
  readonly originSecretArn?: string;
  /** The secret from which functions that answer requests derive their keys. */
  readonly signingSecretArn?: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** The namespace of the metrics in log lines. */
  readonly metricNamespace: string;
  /** Base address of links to uploaded files. A function behind that address cannot know it. */
  readonly assetBaseUrl?: string | undefined;
  /** Of functions behind the HTTP API. */
  readonly identity?: Identity | undefined;
  readonly settings: Settings;
}

/** Functions that answer links of files. */
const linking: readonly Use[] = ['files:write', 'files:link', 'table:media'];

/** Only the variables that a function needs for its `uses`. */
export function environmentFor(uses: readonly Use[], environment: Environment): Record<string, string> {
  const { tableName, bucketName, metricNamespace, assetBaseUrl, identity, settings } = environment;
  const usesSome = (kind: string) => uses.some((use) => use.startsWith(kind));
  const usesModel = uses.includes('model:invoke');
  const variables = {
    ROUTES: environment.routes,
    ORIGIN_SECRET_ARN: environment.originSecretArn,
    SIGNING_SECRET_ARN: environment.signingSecretArn,
    METRIC_NAMESPACE: metricNamespace,
    ROUTE_METRICS: settings.routeMetrics ? undefined : 'off',
    TABLE_NAME: usesSome('table:') ? tableName : undefined,
    CONVERSATION_DAYS: usesSome('table:') ? settings.conversationDays?.toString() : undefined,
    HISTORY_DAYS: usesSome('table:') ? settings.historyDays?.toString() : undefined,
    RESPONSE_DAYS: usesSome('table:') ? settings.responseDays?.toString() : undefined,
    WEBHOOK_PRIVATE_TARGETS: usesSome('table:') ? settings.webhookPrivateTargets?.join() : undefined,
    FILES_BUCKET: uses.some((use) => use.startsWith('files:') && use !== 'files:link') ? bucketName : undefined,
    ASSET_BASE_URL: linking.some((use) => uses.includes(use)) ? assetBaseUrl : undefined,
    RATE_LIMIT: uses.includes('table:rate') ? settings.keyCallsPerMinute?.toString() : undefined,
    MAIL_FROM: uses.includes('mail:send') || mailsInvitations(uses, identity) ? settings.mail?.from : undefined,
    PUBLIC_URL: usesSome('identity:') || uses.includes('table:session') ? identity?.publicUrl : undefined,
    USER_POOL_ID: uses.includes('identity:invite') ? identity?.userPool?.userPoolId : undefined,
    ...(uses.includes('identity:sign-in') && identity && issuerVariables(identity.issuer)),
    // A function that stores agents refuses other models.
    AI_MODELS: usesModel || uses.includes('table:transact') ? agentModels(settings) : undefined,
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
const modelVariables = ({ aiModel, aiTokensPerDay, guardrail, modelServer }: Settings) => ({
  AI_MODEL: aiModel,
  AI_TOKENS_PER_DAY: aiTokensPerDay?.toString(),
  BEDROCK_GUARDRAIL_ID: guardrail?.arn,
  BEDROCK_GUARDRAIL_VERSION: guardrail?.version,
  OPENAI_BASE_URL: modelServer?.url,
  OPENAI_API_KEY_SECRET: modelServer?.keySecretArn,
});

/** The models that agents may name, with their dialects; undefined where there is none but the offline one. */
function agentModels({ aiModel, models }: Pick<Settings, 'aiModel' | 'models'>): string | undefined {
  const all = { ...(aiModel !== 'offline/retrieval-1' && { [aiModel]: {} }), ...models };
  return Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
}

/** The settings that the operator's commands follow as the functions do: the outputs of the stack by their names. */
export const sharedSettings = (settings: Settings): Readonly<Record<string, string | undefined>> => ({
  AgentModels: agentModels(settings),
  ConversationDays: settings.conversationDays?.toString(),
  ResponseDays: settings.responseDays?.toString(),
});
