import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { readSettings, requireRoomFor, streamConcurrencyOf } from '#lib/infra/read-settings.ts';

const standard = {
  stage: 'prod',
  uploads: 'api',
  userPoolPlan: 'essentials',
  aiModel: 'offline/retrieval-1',
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  bedrockModels: [],
  openaiModels: [],
  bedrockPromptCache: false,
  openaiIncludeUsage: true,
  hsts: true,
  deletionProtection: false,
  tracing: false,
  accountConcurrency: 1000,
  logRetentionDays: 30,
  throttleRate: 500,
  throttleBurst: 1000,
};

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d-0000-0000-0000-000000000000';
const profileArn = 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc123';
const webAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/front/1a2b3c4d-0000-0000-0000-000000000000';
const originSecretVersion = '1a2b3c4d-0000-0000-0000-000000000000';
const secretArn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-key-AbCdEf';

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({ '@aws-cdk/core:checkSecretUsage': true })).toEqual(standard);
  });

  it.each([
    [{ stage: 'trial-2' }, { stage: 'trial-2' }],
    [{ removalPolicy: 'destroy' }, { removalPolicy: RemovalPolicy.DESTROY }],
    [{ removalPolicy: 'retain' }, { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE }],
    [
      { hsts: 'off', tracing: 'on', deletionProtection: 'on' },
      { hsts: false, tracing: true, deletionProtection: true },
    ],
    [{ backupDays: '365' }, { backupDays: 365 }],
    [
      { monthlyBudget: '50', alarmEmail: 'ops@saffron.example' },
      { monthlyBudget: 50, alarmEmail: 'ops@saffron.example' },
    ],
    [{ accountConcurrency: '10' }, { accountConcurrency: 10 }],
    [{ webAclArn }, { webAclArn }],
    [{ originSecretVersion }, { originSecretVersion }],
    [
      { domainName: 'api.saffron.example', certificateArn, hostedZoneId: 'Z0123456789ABC' },
      { domainName: 'api.saffron.example', certificateArn, hostedZoneId: 'Z0123456789ABC' },
    ],
    [{ logRetentionDays: '365' }, { logRetentionDays: 365 }],
    [{ logRetentionDays: 7 }, { logRetentionDays: 7 }],
    [
      { throttleRate: '5', throttleBurst: 10 },
      { throttleRate: 5, throttleBurst: 10 },
    ],
    [{ streamConcurrency: '20' }, { streamConcurrency: 20 }],
    [{ aiTokensPerDay: '2000000' }, { aiTokensPerDay: 2_000_000 }],
    [{ mailFrom: 'orders@saffron.example' }, { mailFrom: 'orders@saffron.example' }],
    [{ userPoolPlan: 'lite' }, { userPoolPlan: 'lite' }],
    [
      { oidcIssuer: 'https://id.example/t/', oidcClientId: 'abc', mailFrom: 'a@b.example' },
      { oidcIssuer: 'https://id.example/t/', oidcClientId: 'abc', mailFrom: 'a@b.example' },
    ],
    [
      { mailFrom: 'Team@Saffron.example', mailIdentity: 'saffron.example' },
      { mailFrom: 'Team@Saffron.example', mailIdentity: 'saffron.example' },
    ],
    [{ alarmEmail: 'on+call@saffron.example' }, { alarmEmail: 'on+call@saffron.example' }],
    [{ aiModel: 'bedrock/eu.vendor.model-v1:0' }, { aiModel: 'bedrock/eu.vendor.model-v1:0' }],
    [{ aiModel: `bedrock/${profileArn}` }, { aiModel: `bedrock/${profileArn}` }],
    [
      { bedrockModels: `vendor.model-v1:0, global.vendor.other-v2:0,${profileArn}` },
      { bedrockModels: ['vendor.model-v1:0', 'global.vendor.other-v2:0', profileArn] },
    ],
    [
      { aiModel: 'openai/org/model', openaiBaseUrl: 'https://ai.example/v1', openaiKeySecretArn: secretArn },
      { aiModel: 'openai/org/model', openaiBaseUrl: 'https://ai.example/v1', openaiKeySecretArn: secretArn },
    ],
    [
      { domainName: 'api.saffron.example', certificateArn, uploads: 'web' },
      { domainName: 'api.saffron.example', certificateArn, uploads: 'web' },
    ],
    [
      { uploads: 'web', assetBaseUrl: 'https://d111111abcdef8.cloudfront.net' },
      { uploads: 'web', assetBaseUrl: 'https://d111111abcdef8.cloudfront.net' },
    ],
  ])('reads %j', (context, read) => {
    expect(readSettings(context)).toEqual({ ...standard, ...read });
  });

  it.each([
    ['stage', ''],
    ['stage', 'Prod'],
    ['stage', 'a'.repeat(21)],
    ['removalPolicy', 'Destroy'],
    ['removalPolicy', 'snapshot'],
    ['logRetentionDays', '31'],
    ['logRetentionDays', '9999'],
    ['throttleRate', '0'],
    ['throttleRate', '1.5'],
    ['throttleBurst', '-1'],
    ['throttleBurst', 'many'],
    ['streamConcurrency', '0'],
    ['uploads', 's3'],
    ['domainName', 'https://api.saffron.example'],
    ['domainName', 'localhost'],
    ['certificateArn', 'arn:aws:acm:eu-west-1:111122223333:certificate/1a2b3c4d'],
    ['assetBaseUrl', 'http://files.saffron.example'],
    ['assetBaseUrl', 'https://files.saffron.example/'],
    ['mailFrom', 'orders'],
    ['alarmEmail', 'a b@saffron.example'],
    ['mailIdentity', 'team@saffron.example'],
    ['userPoolPlan', 'plus'],
    ['oidcIssuer', 'http://id.example'],
    ['oidcIssuer', 'https://id.example#tenant'],
    ['oidcClientId', 'a b'],
    ['oidcSecretArn', 'secret'],
    ['aiModel', 'gpt'],
    ['aiTokensPerDay', '0'],
    ['aiTokensPerDay', '1e6'],
    ['aiModel', 'offline/other'],
    ['openaiBaseUrl', 'https://key@ai.example/v1'],
    ['openaiKeySecretArn', 'sk-12345'],
    // Without its suffix of six characters, IAM would name a missing secret.
    ['openaiKeySecretArn', 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-key'],
    ['openaiBaseUrl', 'http://ai.example/v1'],
    ['webAclArn', 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/front/1a2b3c4d-0000-0000-0000-000000000000'],
    ['bedrockModels', 'model'],
    ['openaiModels', 'small,,large'],
    ['openaiModels', 'a model'],
    ['bedrockGuardrailArn', 'abc123'],
    ['bedrockGuardrailVersion', 'latest'],
    ['openaiReasoningEffort', 'none'],
    ['bedrockModels', 'vendor.model,'],
    ['hsts', 'yes'],
    ['hostedZoneId', 'saffron.example'],
    ['backupDays', '0'],
    ['monthlyBudget', '9.50'],
    ['originSecretVersion', 'AWSCURRENT'],
  ])('refuses %s=%j, naming what it must be', (name, value) => {
    const fault = expect.stringMatching(
      new RegExp(`^The setting ${name} is ${JSON.stringify(value)}; it must be .+\\.$`),
    );
    expect(readSettings({ [name]: value })).toEqual({ faults: [fault] });
  });

  it.each([
    [{ domainName: 'api.saffron.example' }, 'certificateArn'],
    [{ certificateArn }, 'domainName'],
    [{ uploads: 'web' }, 'assetBaseUrl'],
    [{ aiModel: 'openai/model' }, 'openaiBaseUrl'],
    [{ openaiKeySecretArn: secretArn }, 'openaiBaseUrl'],
    [{ openaiModels: 'small' }, 'openaiBaseUrl'],
    [{ openaiBaseUrl: 'https://ai.example/v1' }, 'openaiModels'],
    [{ hostedZoneId: 'Z0123456789ABC' }, 'domainName'],
    [{ oidcIssuer: 'https://id.example', mailFrom: 'a@b.example' }, 'oidcClientId'],
    [{ oidcClientId: 'abc' }, 'oidcIssuer'],
    [{ oidcSecretArn: secretArn }, 'oidcIssuer'],
    [{ oidcIssuer: 'https://id.example', oidcClientId: 'abc' }, 'mailFrom'],
    [{ mailIdentity: 'saffron.example' }, 'mailFrom'],
    [{ mailIdentity: 'saffron.example', mailFrom: 'a@notsaffron.example' }, 'mailFrom'],
    [{ monthlyBudget: '50' }, 'alarmEmail'],
    [{ backupDays: '30', removalPolicy: 'destroy' }, 'removalPolicy=retain'],
  ])('refuses %j without %s', (context, missing) => {
    expect(readSettings(context)).toEqual({ faults: [expect.stringContaining(missing)] });
  });

  it('refuses unknown names, and lists all faults together', () => {
    expect(readSettings({ stgae: 'trial', throttleRate: 'no' })).toEqual({
      faults: [
        expect.stringMatching(/^There is no setting stgae; there are stage, domainName, .+, originSecretVersion\.$/),
        'The setting throttleRate is "no"; it must be a whole number above 0.',
      ],
    });
  });
});

it.each([500, 501, 999, 1000, 10_000])(
  'By default six streaming functions fit into a quota of %i',
  (accountConcurrency) => {
    expect(() => requireRoomFor(6, { accountConcurrency, streamConcurrency: undefined })).not.toThrow();
  },
);

it.each([
  [{ accountConcurrency: 1000, streamConcurrency: undefined }, 100],
  [{ accountConcurrency: 3000, streamConcurrency: undefined }, 300],
  // A new account has a quota of 10, and AWS does not allow to reserve any of it.
  [{ accountConcurrency: 10, streamConcurrency: undefined }, undefined],
  [{ accountConcurrency: 1000, streamConcurrency: 20 }, 20],
])('With %j each streaming function gives %p answers at once', (settings, expected) => {
  expect(streamConcurrencyOf(settings)).toBe(expected);
});
