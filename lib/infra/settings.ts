import type { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** Settings of a deployment: `-c name=value`, or the context of cdk.json. */
export interface Settings {
  /** The name of this copy of the service. Each has its own stack, table and address. @default prod */
  readonly stage: string;
  /** The service's own host name, with `certificateArn`. @default a host name of cloudfront.net */
  readonly domainName: string | undefined;
  /** The certificate of `domainName`; CloudFront reads certificates in us-east-1 only. */
  readonly certificateArn: string | undefined;
  /** The Route 53 zone in which `domainName` gets its records. @default the records are made by hand */
  readonly hostedZoneId: string | undefined;
  /** The firewall (AWS WAF, scope CLOUDFRONT) in front of the distribution. @default none */
  readonly webAclArn: string | undefined;
  /** True if answers make browsers use HTTPS only, for a year. @default on */
  readonly hsts: boolean;
  /** Base address of links to uploaded files. @default the service's own address */
  readonly assetBaseUrl: string | undefined;
  /**
   * The receiver of multipart uploads. `api` is the HTTP API (up to 4.4 MB), `web` a web function (up to 5 x 25 MB).
   * @default api
   */
  readonly uploads: 'api' | 'web';
  /** The sender of mails. SES must have verified the address or its domain. @default no mail is sent */
  readonly mailFrom: string | undefined;
  /** The SES identity of `mailFrom`, if that is a domain. User pools need its name. @default mailFrom itself */
  readonly mailIdentity: string | undefined;
  /** The plan of the user pool: `lite` has the older sign-in pages. @default essentials */
  readonly userPoolPlan: 'essentials' | 'lite';
  /** The OpenID Connect issuer that members sign in with. @default a user pool of the stack */
  readonly oidcIssuer: string | undefined;
  /** The client id of this service at that issuer. */
  readonly oidcClientId: string | undefined;
  /** The ARN of the secret with the client secret, as plain text. @default a public client */
  readonly oidcSecretArn: string | undefined;
  /** The address that alarms are mailed to. @default none; the dashboard shows them */
  readonly alarmEmail: string | undefined;
  /** The engine of agents that name none. @default offline/retrieval-1 */
  readonly aiModel: string;
  /** The Bedrock models that agents may name beside `aiModel`: ids of models or inference profiles, or ARNs. @default none */
  readonly bedrockModels: readonly string[];
  /** The models of `openaiBaseUrl` that agents may name beside `aiModel`. @default none */
  readonly openaiModels: readonly string[];
  /** The guardrail that judges every call of Bedrock. @default none */
  readonly bedrockGuardrailArn: string | undefined;
  /** Its version. @default DRAFT */
  readonly bedrockGuardrailVersion: string | undefined;
  /** Whether Bedrock keeps system prompt and tools between calls; some models refuse it. @default off */
  readonly bedrockPromptCache: boolean;
  /** Tokens added to the limit of every reply, for models whose hidden reasoning is part of the output. @default 0 */
  readonly aiReasoningTokens: number | undefined;
  /** Tokens that the AI replies of each workspace may use in a day (UTC). @default no limit and no count */
  readonly aiTokensPerDay: number | undefined;
  /** The OpenAI-compatible server of `openai/...` models, including `/v1`. */
  readonly openaiBaseUrl: string | undefined;
  /** The ARN of the secret that holds that server's key, as plain text. @default the server needs no key */
  readonly openaiKeySecretArn: string | undefined;
  /** That server's name for the limit of a reply's length. @default found by trying */
  readonly openaiMaxTokensField: 'max_tokens' | 'max_completion_tokens' | undefined;
  /** Reasoning effort of that server's model. @default low for those of OpenAI and Azure */
  readonly openaiReasoningEffort: 'minimal' | 'low' | 'medium' | 'high' | undefined;
  /** True if the server can report tokens; otherwise they are estimated. @default on */
  readonly openaiIncludeUsage: boolean;
  /** The customer-managed KMS key of that secret. @default the secret has the key of Secrets Manager */
  readonly openaiKeyKmsKeyArn: string | undefined;
  /** Fate of data and logs when the stack is deleted; `destroy` is for trial stacks. @default retain */
  readonly removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE | RemovalPolicy.DESTROY;
  /** Whether DynamoDB refuses to delete the table; to be switched on after the first deployment. @default off */
  readonly deletionProtection: boolean;
  /**
   * The number of days that AWS Backup keeps a daily copy of table and bucket.
   * @default no copies beside the recovery of 35 days
   */
  readonly backupDays: number | undefined;
  /** The monthly cost of the account in USD at which `alarmEmail` gets a mail. @default no budget */
  readonly monthlyBudget: number | undefined;
  /** The number of days that logs are kept. @default 30 */
  readonly logRetentionDays: RetentionDays;
  /** Whether functions are traced with AWS X-Ray. @default off */
  readonly tracing: boolean;
  /** Requests per second that each route of API Gateway passes in the long run. @default 500 */
  readonly throttleRate: number;
  /** Burst of requests that each route allows above that rate. @default 1000 */
  readonly throttleBurst: number;
  /** Calls per minute that each API key may make. @default no limit, and none is counted */
  readonly keyCallsPerMinute: number | undefined;
  /** The account's quota of concurrent executions of Lambda in this region. @default 1000, the quota of AWS */
  readonly accountConcurrency: number;
  /** Concurrent answers of each streaming function. @default a tenth of the account's quota, from 500 on */
  readonly streamConcurrency: number | undefined;
  /** The version of the origin secret that CloudFront sends. @default the current one */
  readonly originSecretVersion: string | undefined;
}
