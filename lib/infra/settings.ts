import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { modelDialect } from '#lib/ai/model-choice.ts';
import { privateRange } from '#lib/webhooks/addresses.ts';

// The settings of a deployment, as .settings/<stage>.json holds them. Each error completes "it must be ...".

const matching = (pattern: RegExp, error: string) => z.string(error).check(z.regex(pattern, error));

const wholeNumber = 'a whole number above 0, and below a billion';
const count = z.int(wholeNumber).check(z.minimum(1, wholeNumber), z.maximum(999_999_999, wholeNumber));
const historyRange = 'a whole number from 0 to 400';
const flag = (standard: boolean) => z._default(z.boolean('true or false'), standard);

const hostName = '(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}';
const email = matching(new RegExp(`^[\\w.+-]{1,64}@${hostName}$`, 'i'), 'an e-mail address');
// The key and the conversations travel to such an address.
const webAddress = matching(/^https:\/\/[^\s?#@]{1,300}$/, 'a web address that begins with https://');
/** IAM compares the whole ARN. Without the six random characters, a policy names a secret that does not exist. */
const secretArn = matching(
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/,
  'the whole ARN of a secret, with the hyphen and six characters at its end',
);

const targets = 'a list of 1 to 50 ranges';
const range = 'a range of private addresses such as 10.20.0.0/16';
const targetRange = z.string(range).check(z.refine((text) => privateRange(text) !== undefined, range));

const retentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const removalPolicies = { retain: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, destroy: RemovalPolicy.DESTROY } as const;

/** @param kind what the ARN names, as a regular expression */
export const bedrockArn = (kind: string): string =>
  `arn:aws[a-z-]*:bedrock:[a-z0-9-]+:(?:\\d{12})?:${kind}/[\\w.:-]{1,200}`;

/** The id or ARN of a model or an inference profile, or the ARN of provisioned throughput. */
const bedrockModelPattern = new RegExp(
  `^(?:[\\w-]+\\.[\\w.:-]{1,200}|${bedrockArn('(?:foundation-model|(?:application-)?inference-profile|provisioned-model)')})$`,
);

const isModel = (name: string): boolean =>
  /^openai\/[\w.:/-]{1,200}$/.test(name) ||
  (name.startsWith('bedrock/') && bedrockModelPattern.test(name.slice('bedrock/'.length)));
const modelNeeded = 'bedrock/<id or ARN of a model or inference profile> or openai/<model>';

/** Members of an object that belong together. */
const together = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'invalid_type' ? `an object with ${Object.keys(shape).join(', ')}` : undefined),
  });

export const settingsSchema = z.strictObject({
  /** The service's own host name, with its certificate. @default a host name of cloudfront.net */
  domain: z.optional(
    together({
      name: matching(new RegExp(`^${hostName}$`), 'a lower-case host name'),
      /** CloudFront reads certificates in us-east-1 only. */
      certificateArn: matching(
        /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
        'the ARN of a certificate in us-east-1',
      ),
      /** The Route 53 zone in which the name gets its records. @default the records are made by hand */
      hostedZoneId: z.optional(matching(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53')),
    }),
  ),
  /** The firewall (AWS WAF, scope CLOUDFRONT) in front of the distribution. @default none */
  webAclArn: z.optional(
    matching(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]{1,128}\/[0-9a-f-]{36}$/,
      'the ARN of a web ACL of the scope CLOUDFRONT',
    ),
  ),
  /** The receiver of multipart uploads: the HTTP API (up to 4.4 MB), or a web function (up to 5 x 25 MB). */
  uploads: z._default(z.enum(['api', 'web'], 'api or web'), 'api'),
  /** A function for each endpoint, or one for each group of them, which is warm more often where few people call. */
  functions: z._default(z.enum(['single', 'grouped'], 'single or grouped'), 'single'),
  /** The sender of mails, which SES must have verified, and the verified domain, where that is not the address. */
  mail: z.optional(
    together({
      from: email,
      identity: z.optional(matching(new RegExp(`^${hostName}$`), 'a lower-case domain that SES has verified')),
    }),
  ),
  /** The plan of the user pool: `lite` has the older sign-in pages. */
  userPoolPlan: z._default(z.enum(['essentials', 'lite'], 'essentials or lite'), 'essentials'),
  /** Whether people may, or have to, sign in to the user pool with a code of an authenticator app too. */
  secondFactor: z._default(z.enum(['off', 'optional', 'required'], 'off, optional or required'), 'off'),
  /** The OpenID Connect issuer that members sign in with. @default a user pool of the stack */
  issuer: z.optional(
    together({
      url: webAddress,
      clientId: matching(/^[\x21-\x7e]{1,200}$/, 'the id of a client, without blanks'),
      /** @default a public client */
      secretArn: z.optional(secretArn),
    }),
  ),
  /** The address that alarms are mailed to. @default none; the dashboard shows them */
  alarmEmail: z.optional(email),
  /** The model of agents that name none. */
  aiModel: z._default(
    z
      .string(`offline/retrieval-1, ${modelNeeded}`)
      .check(
        z.refine((name) => name === 'offline/retrieval-1' || isModel(name), `offline/retrieval-1, ${modelNeeded}`),
      ),
    'offline/retrieval-1',
  ),
  /** The models that agents may name beside `aiModel`, and the dialects of all. */
  models: z._default(z.record(z.string().check(z.refine(isModel, modelNeeded)), modelDialect), {}),
  /** The OpenAI-compatible server of `openai/...` models. @default none */
  modelServer: z.optional(
    together({
      /** Includes `/v1`. */
      url: webAddress,
      /** The secret that holds its key, as plain text. @default the server needs no key */
      keySecretArn: z.optional(secretArn),
      /** The customer-managed KMS key of that secret. @default the secret has the key of Secrets Manager */
      kmsKeyArn: z.optional(
        matching(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-)?[0-9a-f-]{32,36}$/, 'the ARN of a KMS key'),
      ),
    }),
  ),
  /** The guardrail that judges every call of Bedrock. @default none */
  guardrail: z.optional(
    together({
      arn: matching(
        /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+$/,
        'the ARN of a guardrail of Bedrock',
      ),
      version: z._default(matching(/^(?:DRAFT|[1-9][0-9]{0,7})$/, 'DRAFT or a number, as text'), 'DRAFT'),
    }),
  ),
  /** Tokens that the AI replies of each workspace may use in a day (UTC). @default no limit and no count */
  aiTokensPerDay: z.optional(count),
  /** Fate of data and logs when the stack is deleted; `destroy` is for trial stacks. */
  removalPolicy: z.pipe(
    z._default(z.enum(['retain', 'destroy'], 'retain or destroy'), 'retain'),
    z.transform((policy: keyof typeof removalPolicies) => removalPolicies[policy]),
  ),
  /** Whether table, user pool and stack refuse to be deleted; to be switched on after the first deployment. */
  deletionProtection: flag(false),
  /** The number of days that AWS Backup keeps a daily copy of table and bucket. @default no such copies */
  backupDays: z.optional(count),
  /** The vault, of another region or account, that gets a copy of every nightly copy. @default none */
  backupCopyVaultArn: z.optional(
    matching(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/, 'the ARN of a backup vault'),
  ),
  /** The stream of a table that was restored. @default that of the table that the stack has made */
  tableStreamArn: z.optional(
    matching(
      /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\d:T.-]{19,40}$/,
      'the ARN of the stream of a table',
    ),
  ),
  /** The days that conversations are kept after their last message, with all that belongs to them. @default for ever */
  conversationDays: z.optional(count),
  /** The days that form responses are kept, with their files and notifications. @default for ever */
  responseDays: z.optional(count),
  /** The days that versions of records are kept; 0 keeps none. @default 90 */
  historyDays: z.optional(z.int(historyRange).check(z.minimum(0, historyRange), z.maximum(400, historyRange))),
  /** The ranges of private addresses that webhooks may go to. @default none */
  webhookPrivateTargets: z.optional(
    z.readonly(z.array(targetRange, targets).check(z.minLength(1, targets), z.maxLength(50, targets))),
  ),
  /** The monthly cost of the account in USD at which `alarmEmail` gets a mail. @default no budget */
  monthlyBudget: z.optional(count),
  /** The number of days that logs are kept. */
  logRetentionDays: z._default(z.literal(retentions, `one of ${retentions.join(', ')}`), RetentionDays.ONE_MONTH),
  /** Whether log lines make metrics of each route: latency, statuses, units. Each is charged by the month. */
  routeMetrics: flag(false),
  /** Whether functions are traced with AWS X-Ray. */
  tracing: flag(false),
  /** Requests per second that each route of the HTTP API passes in the long run, and twice as many at once. */
  requestsPerSecond: z._default(count, 500),
  /** Calls per minute that each API key may make. @default no limit, and none is counted */
  keyCallsPerMinute: z.optional(count),
  /** The version of the origin secret that CloudFront sends. @default the current one */
  originSecretVersion: z.optional(matching(/^[0-9a-fA-F-]{32,64}$/, 'the id of a version of the origin secret')),
});

/** A file of settings. */
export type SettingsFile = z.input<typeof settingsSchema>;

export interface Settings extends Readonly<z.output<typeof settingsSchema>> {
  /** The name of this copy of the service. Each has its own stack, table and address. */
  readonly stage: string;
  /** The account's quota of concurrent executions of Lambda in this region; undefined if it is not known. */
  readonly concurrencyQuota: number | undefined;
  /** What other stacks of the account have not reserved of that quota; undefined if it is not known. */
  readonly concurrencyRoom: number | undefined;
  /** The file that they come from. The template keeps it for the next deployment to compare. */
  readonly file: SettingsFile;
}
