import { beforeAll, describe, expect, it } from '@jest/globals';
import { serviceChoices } from './choices.ts';
import { everySetting } from './every-setting.ts';
import { expectClean } from './expect-clean.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import {
  declared,
  functionsByName,
  type Resource,
  reportsOf,
  resourcesOf,
  type Synthesis,
  synthesize,
  targetOf,
} from './synthesize.ts';

let service: Synthesis;

beforeAll(async () => {
  service = await synthesize(declared);
});

describe('the table', () => {
  it('has a fixed logical id, since with another it would be another, empty table', () => {
    expect(resourcesOf(service, 'AWS::DynamoDB::GlobalTable').map(([id]) => id)).toEqual(['WorkspaceTable']);
    service.template.resourceCountIs('AWS::DynamoDB::Table', 0);
  });

  it('is on demand, encrypted, recoverable, protected, with its stream and time to live', () => {
    const [[, table]] = resourcesOf(service, 'AWS::DynamoDB::GlobalTable') as [[string, Resource]];
    expect(table).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    expect(table.Properties).toEqual({
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [
        {
          Region: { Ref: 'AWS::Region' },
          DeletionProtectionEnabled: false,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });
});

describe('the bucket', () => {
  const bucketOf = (synthesis: Synthesis): Resource => {
    const [[id, bucket], ...others] = resourcesOf(synthesis, 'AWS::S3::Bucket') as [[string, Resource]];
    expect([id, ...others]).toEqual(['WorkspaceBucket']);
    return bucket;
  };

  it('is private, encrypted and outlives the stack, and what was deleted can be had back for a while', () => {
    const bucket = bucketOf(service);
    expect(bucket).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    expect(bucket.Properties).toEqual({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [
          {
            Status: 'Enabled',
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            NoncurrentVersionExpiration: { NoncurrentDays: 35 },
            ExpiredObjectDeleteMarker: true,
          },
          {
            Status: 'Enabled',
            Prefix: 'history/',
            ExpirationInDays: 90,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          },
        ],
      },
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedMethods: ['PUT'],
            AllowedOrigins: ['*'],
            AllowedHeaders: ['*'],
            ExposedHeaders: ['ETag'],
            MaxAge: 3600,
          },
        ],
      },
    });
  });

  it('refuses requests without TLS 1.2, and allows no principal anything', () => {
    const [[, { Properties }]] = resourcesOf(service, 'AWS::S3::BucketPolicy') as [[string, Resource]];
    const { Statement } = Properties['PolicyDocument'] as { Statement: { Effect: string; Condition: object }[] };
    expect(Statement.map(({ Effect, Condition }) => [Effect, Condition])).toEqual([
      ['Deny', { Bool: { 'aws:SecureTransport': 'false' } }],
      ['Deny', { NumericLessThan: { 's3:TlsVersion': 1.2 } }],
    ]);
  });
});

describe('logs', () => {
  it('are one for requests, one for background work and that of the API, kept for 30 days and beyond the stack', () => {
    const logs = resourcesOf(service, 'AWS::Logs::LogGroup');
    expect(logs.map(([id]) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual([
      'FrontAccessLog',
      'LogsRequests',
      'LogsWork',
    ]);
    for (const [, log] of logs) {
      expect(log.Properties['RetentionInDays']).toBe(30);
      expect(log.DeletionPolicy).toBe('RetainExceptOnCreate');
    }
    for (const [name, { fn }] of functionsByName(service)) {
      const log = targetOf(fn.Properties['LoggingConfig']);
      const isBackground = declared.triggers.some((trigger) => trigger.name === name);
      expect([name, log]).toEqual([name, expect.stringMatching(isBackground ? /^LogsWork/ : /^LogsRequests/)]);
    }
  });

  it('logs of the API contain no query, header or address of the caller', () => {
    const [[, stage]] = resourcesOf(service, 'AWS::ApiGatewayV2::Stage') as [[string, Resource]];
    const { Format } = stage.Properties['AccessLogSettings'] as { Format: string };
    const variables = Object.values(JSON.parse(Format) as Record<string, string>).sort();
    expect(variables).toEqual([
      '$context.error.message',
      '$context.httpMethod',
      '$context.integration.error',
      '$context.integration.latency',
      '$context.integration.requestId',
      '$context.integration.status',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.routeKey',
      '$context.status',
    ]);
  });
});

describe('the stack', () => {
  it('outputs the values that its operator needs', () => {
    const outputs = service.template.toJSON()['Outputs'];
    expect(Object.keys(outputs).sort()).toEqual([
      'ApiUrl',
      'BucketName',
      'DistributionDomainName',
      'DistributionId',
      'OriginSecretArn',
      'Region',
      'RequestLog',
      'SigningSecretArn',
      'TableName',
      'UserPoolId',
    ]);
    expect(outputs['TableName'].Value).toEqual({ Ref: 'WorkspaceTable' });
    expect(outputs['Region'].Value).toEqual({ Ref: 'AWS::Region' });
  });

  it('throttles its one stage', () => {
    service.template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
    });
    service.template.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
  });
});

// rule-packs.long.test.ts checks all functions.
it('A stack with one function of each kind and every setting passes the rule packs and the validation of CDK, with a reason for each acknowledged finding', async () => {
  expectClean(await reportsOf(sampleDeclarations, everySetting));
});

describe('a trial stack', () => {
  it('has a separate name, rate and logs, and is deleted completely if the settings allow it', async () => {
    const trial = await synthesize(declared, serviceChoices.trial);
    expect([service.stackName, trial.stackName]).toEqual(['WorkspaceApi', 'WorkspaceApi-trial']);
    const stored = ['AWS::DynamoDB::GlobalTable', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket'].flatMap((type) =>
      resourcesOf(trial, type),
    );
    for (const [, resource] of stored) expect(resource.DeletionPolicy).toBe('Delete');
    const [[, table]] = resourcesOf(trial, 'AWS::DynamoDB::GlobalTable') as [[string, Resource]];
    expect(table.Properties['Replicas']).toMatchObject([{ DeletionProtectionEnabled: false }]);
    trial.template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    trial.template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 },
    });
  });
});
