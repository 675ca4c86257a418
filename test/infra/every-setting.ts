/**
 * A value of each setting that adds to the stack, as many as can be combined. The other settings remove something:
 * another issuer removes the user pool, and `lite` the pages of the pool. `destroy` adds nothing.
 */
export const everySetting = {
  domain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-0000-0000-000000000000',
    hostedZoneId: 'Z0123456789ABC',
  },
  webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/front/1a2b3c4d-0000-0000-0000-000000000000',
  responseDays: 730,
  conversationDays: 365,
  historyDays: 30,
  webhookPrivateTargets: ['10.20.0.0/16', 'fd12:3456::/32'],
  originSecretVersion: '1a2b3c4d-0000-0000-0000-000000000001',
  uploads: 'web',
  functions: 'single',
  mail: { from: 'orders@example.com', identity: 'example.com' },
  alarmEmail: 'owner@example.com',
  aiModel: 'openai/gpt-5',
  models: {
    'openai/gpt-5': {
      maxTokensField: 'max_completion_tokens',
      reasoningEffort: 'low',
      reportsTokens: false,
      reasoningTokens: 2000,
    },
    'openai/gpt-5-mini': {},
    'openai/org/model:free': {},
    'bedrock/us.vendor.model-v1:0': { cachesPrompts: true },
    'bedrock/arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123': {},
  },
  modelServer: {
    url: 'https://api.openai.com/v1',
    keySecretArn: 'arn:aws:secretsmanager:us-east-1:111122223333:secret:openai-AbCdEf',
    kmsKeyArn: 'arn:aws:kms:us-east-1:111122223333:key/0a1b2c3d-0000-0000-0000-000000000000',
  },
  guardrail: { arn: 'arn:aws:bedrock:us-east-1:111122223333:guardrail/abc123', version: '2' },
  aiTokensPerDay: 1_000_000,
  deletionProtection: true,
  backupDays: 365,
  backupCopyVaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:far-away',
  tableStreamArn: 'arn:aws:dynamodb:us-east-1:111122223333:table/Workspaces-1A2B/stream/2026-11-27T04:05:06.789',
  secondFactor: 'required',
  monthlyBudget: 50,
  logRetentionDays: 365,
  routeMetrics: true,
  tracing: true,
  requestsPerSecond: 100,
  keyCallsPerMinute: 600,
} as const;
