import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Settings } from './settings.ts';

type Reader<Value> = (text: string) => Value | undefined;

export interface Choice<Value> {
  /** @returns undefined for what is no such value */
  readonly read: Reader<Value>;
  readonly standard: Value | undefined;
  /** Completes "must be ...". */
  readonly needed: string;
}

const matching =
  (pattern: RegExp): Reader<string> =>
  (text) =>
    pattern.test(text) ? text : undefined;

const oneOf = <Value>(values: ReadonlyMap<string, Value>): Pick<Choice<Value>, 'read' | 'needed'> => ({
  read: (text) => values.get(text),
  needed: [...values.keys()].join(' or '),
});

const hostName = '(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}';
const email = {
  read: matching(new RegExp(`^[\\w.+-]{1,64}@${hostName}$`, 'i')),
  standard: undefined,
  needed: 'an e-mail address',
};
const count = {
  read: (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined),
  needed: 'a whole number above 0',
};

const retentions = Object.values(RetentionDays)
  .filter((days) => typeof days === 'number')
  .filter((days) => days !== RetentionDays.INFINITE);

export const choices: { readonly [Name in keyof Settings]: Choice<Settings[Name]> } = {
  stage: {
    read: matching(/^[a-z][a-z0-9-]{0,19}$/),
    standard: 'prod',
    needed: 'a lower-case letter, followed by up to 19 of a-z, 0-9 and -',
  },
  domainName: { read: matching(new RegExp(`^${hostName}$`)), standard: undefined, needed: 'a lower-case host name' },
  certificateArn: {
    read: matching(/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/),
    standard: undefined,
    needed: 'the ARN of a certificate in us-east-1',
  },
  assetBaseUrl: {
    read: matching(new RegExp(`^https://${hostName}$`)),
    standard: undefined,
    needed: 'https:// and a host name',
  },
  uploads: {
    ...oneOf(
      new Map([
        ['api', 'api' as const],
        ['web', 'web' as const],
      ]),
    ),
    standard: 'api',
  },
  mailFrom: email,
  alarmEmail: email,
  aiModel: {
    read: matching(/^(?:offline\/retrieval-1|bedrock\/[\w.:-]{1,200}|openai\/[\w.:/-]{1,200})$/),
    standard: 'offline/retrieval-1',
    needed: 'offline/retrieval-1, bedrock/<model or inference profile id> or openai/<model>',
  },
  aiTokensPerDay: { ...count, standard: undefined },
  openaiBaseUrl: { read: matching(/^https?:\/\/[^\s?#@]{1,300}$/), standard: undefined, needed: 'a web address' },
  openaiKeySecretArn: {
    read: matching(/^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/),
    standard: undefined,
    needed: 'the ARN of a secret',
  },
  removalPolicy: {
    ...oneOf<Settings['removalPolicy']>(
      new Map([
        ['retain', RemovalPolicy.RETAIN],
        ['destroy', RemovalPolicy.DESTROY],
      ] as const),
    ),
    standard: RemovalPolicy.RETAIN,
  },
  logRetentionDays: {
    read: (text) => retentions.find((days) => String(days) === text),
    standard: RetentionDays.ONE_MONTH,
    needed: `one of ${retentions.join(', ')}`,
  },
  throttleRate: { ...count, standard: 500 },
  throttleBurst: { ...count, standard: 1000 },
  keyCallsPerMinute: { ...count, standard: undefined },
  streamConcurrency: { ...count, standard: undefined },
};
