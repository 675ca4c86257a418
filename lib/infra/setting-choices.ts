import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { bedrockModelPattern } from './model-access.ts';
import type { Settings } from './settings.ts';

type Reader<Value> = (text: string) => Value | undefined;

export interface Choice<Value> {
  /** @returns undefined for an invalid text */
  readonly read: Reader<Value>;
  readonly standard: Value | undefined;
  /** Completes "must be ...". */
  readonly needed: string;
}

const matching =
  (pattern: RegExp): Reader<string> =>
  (text) =>
    pattern.test(text) ? text : undefined;

const oneOf = <Value>(values: Readonly<Record<string, Value>>): Pick<Choice<Value>, 'read' | 'needed'> => ({
  read: (text) => new Map(Object.entries(values)).get(text),
  needed: Object.keys(values).join(' or '),
});

const onOrOff = oneOf({ on: true, off: false });

/** An optional text of this form. */
const optional = (pattern: RegExp, needed: string): Choice<string | undefined> => ({
  read: matching(pattern),
  standard: undefined,
  needed,
});

const hostName = '(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}';
const email = optional(new RegExp(`^[\\w.+-]{1,64}@${hostName}$`, 'i'), 'an e-mail address');
/** IAM compares the whole ARN. Without the six random characters, a policy names a secret that does not exist. */
const secretArn = optional(
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/,
  'the whole ARN of a secret, with the hyphen and six characters at its end',
);
const count = {
  read: (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined),
  needed: 'a whole number above 0',
};

const retentions = Object.values(RetentionDays)
  .filter((days) => typeof days === 'number')
  .filter((days) => days !== RetentionDays.INFINITE);

const listOf =
  (pattern: RegExp): Reader<string[]> =>
  (text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every((item) => pattern.test(item)) ? items : undefined;
  };

export const choices: { readonly [Name in keyof Settings]: Choice<Settings[Name]> } = {
  stage: {
    read: matching(/^[a-z][a-z0-9-]{0,19}$/),
    standard: 'prod',
    needed: 'a lower-case letter, followed by up to 19 of a-z, 0-9 and -',
  },
  domainName: optional(new RegExp(`^${hostName}$`), 'a lower-case host name'),
  certificateArn: optional(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of a certificate in us-east-1',
  ),
  hostedZoneId: optional(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone of Route 53'),
  webAclArn: optional(
    /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]{1,128}\/[0-9a-f-]{36}$/,
    'the ARN of a web ACL of the scope CLOUDFRONT',
  ),
  hsts: { ...onOrOff, standard: true },
  assetBaseUrl: optional(new RegExp(`^https://${hostName}$`), 'https:// and a host name'),
  uploads: { ...oneOf<Settings['uploads']>({ api: 'api', web: 'web' }), standard: 'api' },
  mailFrom: email,
  mailIdentity: optional(new RegExp(`^${hostName}$`), 'a lower-case domain that SES has verified'),
  userPoolPlan: {
    ...oneOf<Settings['userPoolPlan']>({ essentials: 'essentials', lite: 'lite' }),
    standard: 'essentials',
  },
  // As in ID tokens: most issuers have no slash at the end, some do.
  oidcIssuer: optional(/^https:\/\/[^\s?#@]{1,300}$/, 'a web address that begins with https://'),
  oidcClientId: optional(/^[\x21-\x7e]{1,200}$/, 'the id of a client, without blanks'),
  oidcSecretArn: secretArn,
  alarmEmail: email,
  aiModel: {
    read: (text) =>
      /^(?:offline\/retrieval-1|openai\/[\w.:/-]{1,200})$/.test(text) ||
      (text.startsWith('bedrock/') && bedrockModelPattern.test(text.slice('bedrock/'.length)))
        ? text
        : undefined,
    standard: 'offline/retrieval-1',
    needed: 'offline/retrieval-1, bedrock/<id or ARN of a model or inference profile> or openai/<model>',
  },
  bedrockModels: {
    read: listOf(bedrockModelPattern),
    standard: [],
    needed: 'ids or ARNs of Bedrock models or inference profiles, with commas between them',
  },
  openaiModels: {
    read: listOf(/^[\w.:/-]{1,200}$/),
    standard: [],
    needed: 'names of models of openaiBaseUrl, with commas between them',
  },
  bedrockGuardrailArn: optional(
    /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/[a-z0-9]+$/,
    'the ARN of a guardrail of Bedrock',
  ),
  bedrockGuardrailVersion: optional(/^(?:DRAFT|[1-9][0-9]{0,7})$/, 'DRAFT or a number'),
  bedrockPromptCache: { ...onOrOff, standard: false },
  aiReasoningTokens: { ...count, standard: undefined },
  aiTokensPerDay: { ...count, standard: undefined },
  // The key and the conversations travel there, and the functions are in no network of their own.
  openaiBaseUrl: optional(/^https:\/\/[^\s?#@]{1,300}$/, 'a web address that begins with https://'),
  openaiKeySecretArn: secretArn,
  openaiMaxTokensField: {
    ...oneOf<Settings['openaiMaxTokensField']>({
      max_tokens: 'max_tokens',
      max_completion_tokens: 'max_completion_tokens',
    }),
    standard: undefined,
  },
  openaiReasoningEffort: {
    ...oneOf<Settings['openaiReasoningEffort']>({ minimal: 'minimal', low: 'low', medium: 'medium', high: 'high' }),
    standard: undefined,
  },
  openaiIncludeUsage: { ...onOrOff, standard: true },
  openaiKeyKmsKeyArn: optional(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-)?[0-9a-f-]{32,36}$/,
    'the ARN of a KMS key',
  ),
  removalPolicy: {
    ...oneOf<Settings['removalPolicy']>({
      retain: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      destroy: RemovalPolicy.DESTROY,
    }),
    standard: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  },
  deletionProtection: { ...onOrOff, standard: false },
  backupDays: { ...count, standard: undefined },
  monthlyBudget: { ...count, standard: undefined },
  logRetentionDays: {
    read: (text) => retentions.find((days) => String(days) === text),
    standard: RetentionDays.ONE_MONTH,
    needed: `one of ${retentions.join(', ')}`,
  },
  tracing: { ...onOrOff, standard: false },
  throttleRate: { ...count, standard: 500 },
  throttleBurst: { ...count, standard: 1000 },
  keyCallsPerMinute: { ...count, standard: undefined },
  accountConcurrency: { ...count, standard: 1000 },
  streamConcurrency: { ...count, standard: undefined },
  originSecretVersion: optional(/^[0-9a-fA-F-]{32,64}$/, 'the id of a version of the origin secret'),
};
