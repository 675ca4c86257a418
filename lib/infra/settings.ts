import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { modelDialect } from '#lib/ai/model-choice.ts';
import { privateRange } from '#lib/webhooks/addresses.ts';

// The settings of a deployment, as .settings/<stage>.json holds them. settings.md says what each means, and what counts
// without it. Each error completes "it must be ...".

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
  domain: z.optional(
    together({
      name: matching(new RegExp(`^${hostName}$`), 'a lower-case host name'),
      /** CloudFront reads certificates in us-east-1 only. */
      certificateArn: matching(
        /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
        'the ARN of a certificate in us-east-1',
      ),
      hostedZoneId: z.optional(matching(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53')),
    }),
  ),
  webAclArn: z.optional(
    matching(
      /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]{1,128}\/[0-9a-f-]{36}$/,
      'the ARN of a web ACL of the scope CLOUDFRONT',
    ),
  ),
  uploads: z._default(z.enum(['api', 'web'], 'api or web'), 'api'),
  functions: z._default(z.enum(['single', 'grouped'], 'single or grouped'), 'single'),
  mail: z.optional(
    together({
      from: email,
      identity: z.optional(matching(new RegExp(`^${hostName}$`), 'a lower-case domain that SES has verified')),
    }),
  ),
  userPoolPlan: z._default(z.enum(['essentials', 'lite'], 'essentials or lite'), 'essentials'),
  secondFactor: z._default(z.enum(['off', 'optional', 'required'], 'off, optional or required'), 'off'),
  issuer: z.optional(
    together({
      url: webAddress,
      clientId: matching(/^[\x21-\x7e]{1,200}$/, 'the id of a client, without blanks'),
      secretArn: z.optional(secretArn),
    }),
  ),
  alarmEmail: z.optional(email),
  aiModel: z._default(
    z
      .string(`offline/retrieval-1, ${modelNeeded}`)
      .check(
        z.refine((name) => name === 'offline/retrieval-1' || isModel(name), `offline/retrieval-1, ${modelNeeded}`),
      ),
    'offline/retrieval-1',
  ),
  models: z._default(z.record(z.string().check(z.refine(isModel, modelNeeded)), modelDialect), {}),
  modelServer: z.optional(
    together({
      /** Includes `/v1`. */
      url: webAddress,
      keySecretArn: z.optional(secretArn),
      kmsKeyArn: z.optional(
        matching(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-)?[0-9a-f-]{32,36}$/, 'the ARN of a KMS key'),
      ),
    }),
  ),
  guardrail: z.optional(
    together({
      arn: matching(
        /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+$/,
        'the ARN of a guardrail of Bedrock',
      ),
      version: z._default(matching(/^(?:DRAFT|[1-9][0-9]{0,7})$/, 'DRAFT or a number, as text'), 'DRAFT'),
    }),
  ),
  aiTokensPerDay: z.optional(count),
  removalPolicy: z.pipe(
    z._default(z.enum(['retain', 'destroy'], 'retain or destroy'), 'retain'),
    z.transform((policy: keyof typeof removalPolicies) => removalPolicies[policy]),
  ),
  deletionProtection: flag(false),
  backupDays: z.optional(count),
  backupCopyVaultArn: z.optional(
    matching(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/, 'the ARN of a backup vault'),
  ),
  tableStreamArn: z.optional(
    matching(
      /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\d:T.-]{19,40}$/,
      'the ARN of the stream of a table',
    ),
  ),
  conversationDays: z.optional(count),
  responseDays: z.optional(count),
  historyDays: z.optional(z.int(historyRange).check(z.minimum(0, historyRange), z.maximum(400, historyRange))),
  webhookPrivateTargets: z.optional(
    z.readonly(z.array(targetRange, targets).check(z.minLength(1, targets), z.maxLength(50, targets))),
  ),
  monthlyBudget: z.optional(count),
  logRetentionDays: z._default(z.literal(retentions, `one of ${retentions.join(', ')}`), RetentionDays.ONE_MONTH),
  routeMetrics: flag(false),
  tracing: flag(false),
  requestsPerSecond: z._default(count, 500),
  keyCallsPerMinute: z.optional(count),
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
