import { describe, expect, it } from '@jest/globals';
import type { EndpointFunction } from '#lib/endpoints.ts';
import { namedSettings, settingNames } from '#lib/infra/read-settings.ts';
import { someOf } from '#test/support/long-run.ts';
import { sampleChoices } from './choices.ts';
import { everySetting } from './every-setting.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { isAllowed, roleOf } from './statements.ts';
import { declared, functionsByName, type Resource, resourcesOf, synthesize, variablesOf } from './synthesize.ts';

const { webAclArn, tableStreamArn, originSecretVersion, domain } = sampleChoices.full;

const plain = await synthesize(sampleDeclarations);
const full = await synthesize(sampleDeclarations, sampleChoices.full);

const isStreamed = ({ endpoint }: EndpointFunction) => endpoint.responseMode === 'streamed';
const streamed = declared.endpoints.filter(isStreamed);
/** All functions of the service that stream, beside one that does not: its other functions would only take time. */
const withStreamed = {
  endpoints: [...streamed, ...sampleDeclarations.endpoints.filter((sample) => !isStreamed(sample))],
  triggers: [],
};

// biome-ignore lint/suspicious/noExplicitAny: the template has this shape.
const distributionOf = (synthesis: typeof full): any => {
  const [[, { Properties }]] = resourcesOf(synthesis, 'AWS::CloudFront::Distribution') as [[string, Resource]];
  return Properties['DistributionConfig'];
};

describe('The setting', () => {
  it('webAclArn puts a firewall in front of the distribution', () => {
    expect(distributionOf(full).WebACLId).toBe(webAclArn);
    expect(distributionOf(plain)).not.toHaveProperty('WebACLId');
  });

  it('domain.hostedZoneId adds an IPv4 and an IPv6 record of the domain that lead to the distribution', () => {
    const records = resourcesOf(full, 'AWS::Route53::RecordSet').map(([, { Properties }]) => Properties);
    expect(records.map(({ Type, Name, HostedZoneId }) => [Type, Name, HostedZoneId]).sort()).toEqual([
      ['A', 'api.saffron.example.', 'Z0123456789ABC'],
      ['AAAA', 'api.saffron.example.', 'Z0123456789ABC'],
    ]);
    for (const { AliasTarget } of records) expect(JSON.stringify(AliasTarget)).toContain('EdgeDistribution');
    plain.template.resourceCountIs('AWS::Route53::RecordSet', 0);
  });

  it('none is needed to make browsers use HTTPS on every path for a year', () => {
    const policies = resourcesOf(plain, 'AWS::CloudFront::ResponseHeadersPolicy');
    const [[id, { Properties }]] = policies as [[string, Resource]];
    expect(Properties['ResponseHeadersPolicyConfig']).toMatchObject({
      SecurityHeadersConfig: {
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false, Override: true },
      },
    });
    const { DefaultCacheBehavior, CacheBehaviors } = distributionOf(plain);
    for (const behaviour of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behaviour.ResponseHeadersPolicyId).toEqual({ Ref: id });
    }
  });

  it('tracing traces every function, with the right to send traces and no policy besides', () => {
    for (const [name, { fn }] of functionsByName(full)) {
      expect([name, fn.Properties['TracingConfig']]).toEqual([name, { Mode: 'Active' }]);
      expect(isAllowed(roleOf(full, fn), { action: 'xray:PutTraceSegments', resource: '*' })).toBe(true);
    }
    full.template.resourceCountIs('AWS::IAM::Policy', 0);
    for (const { fn } of functionsByName(plain).values()) expect(fn.Properties).not.toHaveProperty('TracingConfig');
  });

  it('deletionProtection protects the table, which is off while a failed first deployment must be able to remove it', () => {
    const protectionOf = (synthesis: typeof full) =>
      resourcesOf(synthesis, 'AWS::DynamoDB::GlobalTable').map(([, { Properties }]) => Properties['Replicas']);
    expect(protectionOf(full)).toMatchObject([[{ DeletionProtectionEnabled: true }]]);
    expect(protectionOf(plain)).toMatchObject([[{ DeletionProtectionEnabled: false }]]);
  });

  it.each(someOf([499, undefined, 10], 1))(
    'nothing is reserved of a quota of %p, since AWS would refuse the deployment',
    async (concurrencyQuota) => {
      const synthesis = await synthesize(sampleDeclarations, { concurrencyQuota });
      for (const { fn } of functionsByName(synthesis).values()) {
        expect(fn.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
      }
    },
  );

  it.each(someOf([500, 1000, 3001], 1))(
    'a tenth of a quota of %i is reserved for each streaming function',
    async (quota) => {
      const synthesis = await synthesize(withStreamed, { concurrencyQuota: quota });
      const reserved = [...functionsByName(synthesis).values()]
        .map(({ fn }) => fn.Properties['ReservedConcurrentExecutions'])
        .filter((concurrency) => concurrency !== undefined);
      expect(reserved).toEqual(streamed.map(() => Math.floor(quota / 10)));
      // AWS requires that 100 stay unreserved.
      expect(Math.floor(quota / 10) * streamed.length).toBeLessThanOrEqual(quota - 100);
    },
  );

  const rooms = [
    [505, 250, 50],
    [505, 249, undefined],
    [1000, 400, 100],
    [1000, 399, undefined],
  ] as const;
  it.each(someOf(rooms, 2))(
    'of a quota of %i with %i left by other stacks, it is %p for each',
    async (concurrencyQuota, room, expected) => {
      const synthesis = await synthesize(withStreamed, { concurrencyQuota, concurrencyRoom: room });
      const reserved = [...functionsByName(synthesis).values()].map(
        ({ fn }) => fn.Properties['ReservedConcurrentExecutions'],
      );
      expect(new Set(reserved)).toEqual(new Set([undefined, expected]));
    },
  );

  it('backupDays copies table and bucket every night into a vault that outlives the stack', () => {
    const only = (type: string) => (resourcesOf(full, type)[0] as [string, Resource])[1];
    const { BackupPlanRule } = only('AWS::Backup::BackupPlan').Properties['BackupPlan'] as Record<string, unknown>;
    expect(BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: 'cron(30 2 * * ? *)',
        Lifecycle: { DeleteAfterDays: 365 },
        CopyActions: [
          {
            DestinationBackupVaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:far-away',
            Lifecycle: { DeleteAfterDays: 365 },
          },
        ],
      },
    ]);
    const { Resources } = only('AWS::Backup::BackupSelection').Properties['BackupSelection'] as Record<string, unknown>;
    expect(JSON.stringify(Resources)).toContain('WorkspaceTable');
    expect(JSON.stringify(Resources)).toContain('WorkspaceBucket');
    // CDK's generated name of a vault is always the same, so a retained vault would block the next stack.
    const vault = only('AWS::Backup::BackupVault');
    expect(vault.Properties['BackupVaultName']).toEqual({
      'Fn::Join': ['-', ['workspaces', { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }]],
    });
    // The stack's id ends in 36 unique characters.
    expect('workspaces-'.length + 36).toBeLessThanOrEqual(50);
    plain.template.resourceCountIs('AWS::Backup::BackupPlan', 0);
  });

  it('monthlyBudget mails the costs of the account to the address of the alarms', () => {
    full.template.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 50, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        {
          Notification: { NotificationType: 'ACTUAL', Threshold: 80 },
          Subscribers: [{ Address: 'ops@saffron.example' }],
        },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ],
    });
    plain.template.resourceCountIs('AWS::Budgets::Budget', 0);
  });

  it('originSecretVersion sends that version of the secret from every origin', () => {
    for (const { OriginCustomHeaders } of distributionOf(full).Origins) {
      expect(JSON.stringify(OriginCustomHeaders)).toContain(`:SecretString:::${originSecretVersion}}}`);
    }
  });

  it('tableStreamArn makes functions follow that stream, and read no other', () => {
    const mappings = resourcesOf(full, 'AWS::Lambda::EventSourceMapping');
    const followers = [...functionsByName(full).values()].filter(({ id }) =>
      mappings.some(([, { Properties }]) => JSON.stringify(Properties['FunctionName']).includes(`"${id}"`)),
    );
    expect(mappings.map(([, { Properties }]) => Properties['EventSourceArn'])).toEqual([tableStreamArn]);
    expect(followers).toHaveLength(1);
    for (const { fn } of followers) {
      const call = { action: 'dynamodb:GetRecords', resource: tableStreamArn };
      expect(isAllowed(roleOf(full, fn), call)).toBe(true);
      expect(isAllowed(roleOf(full, fn), { ...call, resource: 'WorkspaceTable.StreamArn' })).toBe(false);
    }
    expect(JSON.stringify(full.template)).not.toContain('"StreamArn"');
  });

  it('responseDays and conversationDays reach every function that uses the table', () => {
    for (const [name, { fn }] of functionsByName(full)) {
      const { TABLE_NAME: table, RESPONSE_DAYS: responses, CONVERSATION_DAYS: conversations } = variablesOf(fn);
      expect([name, responses, conversations]).toEqual([name, table && '730', table && '365']);
    }
    for (const { fn } of functionsByName(plain).values()) expect(variablesOf(fn)).not.toHaveProperty('RESPONSE_DAYS');
    // The operator's commands follow them, too.
    const outputs = full.template.toJSON()['Outputs'];
    expect([outputs['ResponseDays'].Value, outputs['ConversationDays'].Value]).toEqual(['730', '365']);
  });

  it('historyDays reach every function that uses the table, also if there are none', () => {
    for (const [name, { fn }] of functionsByName(full)) {
      const { TABLE_NAME: table, HISTORY_DAYS: days } = variablesOf(fn);
      expect([name, days]).toEqual([name, table && '0']);
    }
    for (const { fn } of functionsByName(plain).values()) expect(variablesOf(fn)).not.toHaveProperty('HISTORY_DAYS');
  });

  it('webhookPrivateTargets reach every function that uses the table', () => {
    for (const [name, { fn }] of functionsByName(full)) {
      const { TABLE_NAME: table, WEBHOOK_PRIVATE_TARGETS: targets } = variablesOf(fn);
      expect([name, targets]).toEqual([name, table && '10.20.0.0/16,fd12:3456::/32']);
    }
    for (const { fn } of functionsByName(plain).values()) {
      expect(variablesOf(fn)).not.toHaveProperty('WEBHOOK_PRIVATE_TARGETS');
    }
  });
});

it('A first deployment that fails removes everything that it has made, and later ones keep the data', () => {
  const kept = [
    'AWS::DynamoDB::GlobalTable',
    'AWS::S3::Bucket',
    'AWS::Logs::LogGroup',
    'AWS::Cognito::UserPool',
    'AWS::Backup::BackupVault',
  ].flatMap((type) => [...resourcesOf(plain, type), ...resourcesOf(full, type)]);
  expect(new Set(kept.map(([, { Type }]) => Type)).size).toBe(5);
  for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of kept) {
    expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, 'RetainExceptOnCreate', 'Retain']);
  }
});

it('Only deletionProtection keeps the stack, so that one that failed at first can be deleted', () => {
  expect([plain.terminationProtection, full.terminationProtection]).toEqual([false, true]);
});

it('The template keeps the settings, for the next deployment to compare', () => {
  expect(plain.template.toJSON()['Metadata']).toEqual({ Settings: {} });
  expect(full.template.toJSON()['Metadata'].Settings).toMatchObject({ webAclArn, domain });
});

describe('The stack of the real functions with every setting', () => {
  it('contains every setting', () => {
    const isOpen = (name: string) => !/^(?:models|userPoolPlan|issuer|removalPolicy)\b/.test(name);
    const given = [...namedSettings(everySetting).keys()];
    const leaves = settingNames.filter((name) => !settingNames.some((other) => other.startsWith(`${name}.`)));
    expect(given.filter(isOpen).sort()).toEqual(leaves.filter(isOpen).sort());
  });

  it('has fewer than 400 resources (lib/spec/additions.md section 2), and less than the 1 MB that CloudFormation takes', async () => {
    const largest = await synthesize(declared, everySetting);
    expect(Object.keys(largest.template.toJSON().Resources).length).toBeLessThan(400);
    expect(JSON.stringify(largest.template.toJSON()).length).toBeLessThan(800_000);
  });
});
