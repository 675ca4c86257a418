import type { Use } from '#lib/http/endpoint.ts';
import type { Settings } from './settings.ts';

/** The values that functions may find in their environment. Never a secret: everyone who may list functions reads it. */
export interface Environment {
  /** The route table as JSON, of functions that answer requests. */
  readonly routes?: string;
  /** Of functions that answer requests. */
  readonly originSecretArn?: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** The namespace of the metrics in log lines. */
  readonly metricNamespace: string;
  /** Where links of uploaded files lead. Functions behind the address itself cannot know it. */
  readonly assetBaseUrl?: string | undefined;
  readonly settings: Pick<
    Settings,
    | 'mailFrom'
    | 'keyCallsPerMinute'
    | 'aiModel'
    | 'aiTokensPerDay'
    | 'openaiBaseUrl'
    | 'openaiKeySecretArn'
    | 'openaiMaxTokensField'
    | 'openaiIncludeUsage'
  >;
}

/** The variables that a function needs for what it uses, and no others. */
export function environmentFor(uses: readonly Use[], environment: Environment): Record<string, string> {
  const { routes, originSecretArn, tableName, bucketName, metricNamespace, assetBaseUrl, settings } = environment;
  const usesSome = (kind: string) => uses.some((use) => use.startsWith(kind));
  const usesModel = uses.includes('model:invoke');
  const variables = {
    ROUTES: routes,
    ORIGIN_SECRET_ARN: originSecretArn,
    METRIC_NAMESPACE: metricNamespace,
    TABLE_NAME: usesSome('table:') ? tableName : undefined,
    FILES_BUCKET: usesSome('files:') ? bucketName : undefined,
    ASSET_BASE_URL: uses.includes('files:write') ? assetBaseUrl : undefined,
    RATE_LIMIT: routes !== undefined && usesSome('table:') ? settings.keyCallsPerMinute?.toString() : undefined,
    MAIL_FROM: uses.includes('mail:send') ? settings.mailFrom : undefined,
    AI_MODEL: usesModel ? settings.aiModel : undefined,
    AI_TOKENS_PER_DAY: usesModel ? settings.aiTokensPerDay?.toString() : undefined,
    ...(usesModel && settings.openaiBaseUrl !== undefined && openAiVariables(settings)),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const openAiVariables = (settings: Environment['settings']) => ({
  OPENAI_BASE_URL: settings.openaiBaseUrl,
  OPENAI_API_KEY_SECRET: settings.openaiKeySecretArn,
  OPENAI_MAX_TOKENS_FIELD: settings.openaiMaxTokensField,
  OPENAI_INCLUDE_USAGE: String(settings.openaiIncludeUsage),
});
