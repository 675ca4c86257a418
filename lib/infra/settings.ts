import type { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What a deployer may choose with `-c name=value`, or in the context of cdk.json. */
export interface Settings {
  /** Which copy of the service this is; each has a stack, a table and an address of its own. @default prod */
  readonly stage: string;
  /** The service's own host name, with `certificateArn`. @default one that CloudFront makes up */
  readonly domainName: string | undefined;
  /** The certificate of `domainName`; CloudFront reads those of us-east-1 alone. */
  readonly certificateArn: string | undefined;
  /** Where the links of uploaded files lead, when not to the service's own address. */
  readonly assetBaseUrl: string | undefined;
  /** What takes multipart uploads: the HTTP API up to 4.4 MB, or a web function up to 5 x 25 MB. @default api */
  readonly uploads: 'api' | 'web';
  /** Who mail comes from; SES has to know the address or its domain. @default no mail is sent */
  readonly mailFrom: string | undefined;
  /** Who is told of alarms. @default nobody; the dashboard shows them */
  readonly alarmEmail: string | undefined;
  /** The engine of agents that name none. @default offline/retrieval-1 */
  readonly aiModel: string;
  /** How many tokens the AI replies of each workspace may take on a day in UTC. @default no bound, and none is counted */
  readonly aiTokensPerDay: number | undefined;
  /** The OpenAI-compatible server of `openai/...` models, including `/v1`. */
  readonly openaiBaseUrl: string | undefined;
  /** The ARN of the secret that holds that server's key, as plain text. @default it wants none */
  readonly openaiKeySecretArn: string | undefined;
  /** What becomes of the data and the logs when the stack is deleted; `destroy` is for trial stacks. @default retain */
  readonly removalPolicy: RemovalPolicy.RETAIN | RemovalPolicy.DESTROY;
  /** For how many days the logs are kept. @default 30 */
  readonly logRetentionDays: RetentionDays;
  /** How many requests a second each route of API Gateway lets through in the long run. @default 500 */
  readonly throttleRate: number;
  /** How many requests it lets through at once before that rate counts. @default 1000 */
  readonly throttleBurst: number;
  /** How many calls a minute each API key may make. @default no limit, and none is counted */
  readonly keyCallsPerMinute: number | undefined;
  /** How many answers each streaming function gives at once; taken from the account's share. @default no bound */
  readonly streamConcurrency: number | undefined;
}
