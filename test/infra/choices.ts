import { everySetting } from './every-setting.ts';
import type { Choices } from './synthesize.ts';

// The settings of the stacks whose templates the tests read. rule-packs.long.test.ts checks each of them.

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d-0000-0000-0000-000000000000';
export const modelArns = {
  application: 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc123',
  guardrail: 'arn:aws:bedrock:eu-west-1:111122223333:guardrail/abc123',
  provisioned: 'arn:aws:bedrock:eu-west-1:111122223333:provisioned-model/def456',
};

/** For `sampleDeclarations`. */
export const sampleChoices = {
  plain: {},
  full: {
    domain: { name: 'api.saffron.example', certificateArn, hostedZoneId: 'Z0123456789ABC' },
    webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/front/1a2b3c4d-0000-0000-0000-000000000000',
    tracing: true,
    deletionProtection: true,
    concurrencyQuota: 10,
    backupDays: 365,
    backupCopyVaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:far-away',
    monthlyBudget: 50,
    alarmEmail: 'ops@saffron.example',
    originSecretVersion: '1a2b3c4d-0000-0000-0000-000000000001',
    tableStreamArn: 'arn:aws:dynamodb:us-east-1:111122223333:table/Workspaces/stream/2026-11-27T04:05:06.789',
    responseDays: 730,
    conversationDays: 365,
    historyDays: 0,
    webhookPrivateTargets: ['10.20.0.0/16', 'fd12:3456::/32'],
  },
  lite: {
    userPoolPlan: 'lite',
    removalPolicy: 'destroy',
    deletionProtection: true,
    domain: { name: 'api.saffron.example', certificateArn },
    mail: { from: 'team@saffron.example', identity: 'saffron.example' },
  },
  foreign: {
    issuer: {
      url: 'https://issuer.example',
      clientId: 'workspace',
      secretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:client-AbCdEf',
    },
    mail: { from: 'team@saffron.example' },
  },
  loud: {
    stage: 'trial',
    routeMetrics: true,
    alarmEmail: 'ops@saffron.example',
    mail: { from: 'orders@saffron.example' },
    concurrencyQuota: 2000,
    backupDays: 90,
  },
  web: { uploads: 'web', domain: everySetting.domain },
  models: {
    models: {
      'bedrock/vendor.small-v1:0': {},
      'bedrock/us.vendor.large-v1:0': { cachesPrompts: true },
      [`bedrock/${modelArns.application}`]: {},
      [`bedrock/${modelArns.provisioned}`]: {},
    },
    guardrail: { arn: modelArns.guardrail, version: '3' },
  },
} as const satisfies Record<string, Choices>;

/** For the functions of the service. */
export const serviceChoices = {
  plain: {},
  everything: everySetting,
  deployed: { concurrencyQuota: 1000 },
  grouped: { functions: 'grouped' },
  groupedWithEverything: { ...everySetting, functions: 'grouped' },
  trial: { stage: 'trial', removalPolicy: 'destroy', logRetentionDays: 7, requestsPerSecond: 5 },
} as const satisfies Record<string, Choices>;
