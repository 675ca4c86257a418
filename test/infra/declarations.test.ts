import { describe, expect, it } from '@jest/globals';
import { oneOfEverything, sampleEndpoint } from './sample-declarations.ts';
import { allowed, streamAccess } from './statements.ts';
import { functionsByName, type Resource, resourcesOf, synthesize, variablesOf } from './synthesize.ts';

const everything = await synthesize(oneOfEverything, {
  mailFrom: 'orders@saffron.example',
  aiModel: 'bedrock/eu.vendor.model-v1:0',
  streamConcurrency: '20',
});

describe('a declaration', () => {
  const fnOf = (name: string): Resource => functionsByName(everything).get(name)?.fn as Resource;
  const identity = 'arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity';

  it('with "streamed" gives a function a URL that streams, which everyone may call', () => {
    const urls = resourcesOf(everything, 'AWS::Lambda::Url').map(([, { Properties }]) => Properties);
    expect(urls).toHaveLength(2);
    for (const url of urls) expect(url).toMatchObject({ AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' });
    const permissions = resourcesOf(everything, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    expect(permissions.filter(({ Principal }) => Principal === '*')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' }),
        expect.objectContaining({ Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true }),
      ]),
    );
    expect(fnOf('thing-talk').Properties).toMatchObject({ Timeout: 300, ReservedConcurrentExecutions: 20 });
  });

  it('with "model:invoke" allows the model of the settings, and its key by name only', async () => {
    expect(allowed(everything, fnOf('thing-talk'))).toMatchObject({
      'arn:AWS::Partition:bedrock:AWS::Region:AWS::AccountId:inference-profile/eu.vendor.model-v1:0': [
        'bedrock:InvokeModelWithResponseStream',
      ],
      'arn:AWS::Partition:bedrock:*::foundation-model/vendor.model-v1:0': ['bedrock:InvokeModelWithResponseStream'],
    });
    const key = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-key-AbCdEf';
    const openAi = await synthesize(oneOfEverything, {
      aiModel: 'openai/model',
      aiTokensPerDay: '2000000',
      openaiBaseUrl: 'https://ai.example/v1',
      openaiKeySecretArn: key,
    });
    const talk = functionsByName(openAi).get('thing-talk')?.fn as Resource;
    expect(variablesOf(talk)).toMatchObject({
      AI_MODEL: 'openai/model',
      AI_TOKENS_PER_DAY: '2000000',
      OPENAI_BASE_URL: 'https://ai.example/v1',
      OPENAI_API_KEY_SECRET: key,
    });
    expect(allowed(openAi, talk)[key]).toEqual(['secretsmanager:GetSecretValue']);
    expect(JSON.stringify(allowed(openAi, talk))).not.toContain('bedrock');
  });

  it('with "mail:send" allows mail from the address of the settings', () => {
    const mine = allowed(everything, fnOf('thing-mail'));
    expect(mine[`${identity}/orders@saffron.example`]).toEqual(['ses:SendEmail']);
    expect(mine[`${identity}/saffron.example`]).toEqual(['ses:SendEmail']);
    expect(variablesOf(fnOf('thing-mail'))).toEqual({
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=384',
      TABLE_NAME: { Ref: 'WorkspaceTable' },
      MAIL_FROM: 'orders@saffron.example',
    });
  });

  it('with "newItems" hands over new items of that prefix, in bounds, and keeps what fails', () => {
    const [[deadLetters, queue]] = resourcesOf(everything, 'AWS::SQS::Queue') as [[string, Resource]];
    expect(queue.Properties).toEqual({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 });
    const [[, source], ...others] = resourcesOf(everything, 'AWS::Lambda::EventSourceMapping') as [[string, Resource]];
    expect(others).toEqual([]);
    expect(source.Properties).toEqual({
      FunctionName: { Ref: functionsByName(everything).get('thing-mail')?.id },
      EventSourceArn: { 'Fn::GetAtt': ['WorkspaceTable', 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: {
        Filters: [{ Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"THING#"}]}}}}' }],
      },
      BatchSize: 25,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 5,
      MaximumRecordAgeInSeconds: 21_600,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [deadLetters, 'Arn'] } } },
    });
    expect(streamAccess(allowed(everything, fnOf('thing-mail')))).toEqual({
      '*': ['dynamodb:ListStreams'],
      'WorkspaceTable.StreamArn': ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      [deadLetters]: ['sqs:SendMessage'],
    });
  });

  it('with "everyMinutes" is run by time', () => {
    const rules = resourcesOf(everything, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
    expect(rules.map(({ ScheduleExpression, State }) => [ScheduleExpression, State]).sort()).toEqual([
      ['rate(1 minute)', 'ENABLED'],
      ['rate(5 minutes)', 'ENABLED'],
    ]);
  });

  it('with "files:write" tells a function of the gateway where its links lead', () => {
    const [[distribution]] = resourcesOf(everything, 'AWS::CloudFront::Distribution') as [[string, Resource]];
    expect(variablesOf(fnOf('thing-upload'))['ASSET_BASE_URL']).toEqual({
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]],
    });
  });

  it('is refused by the validation of CDK when its settings are none of Lambda', async () => {
    const refused = /Timeout: 5000 exceeds maximum 900 .*\(CloudFormation Validate\)/;
    const endpoints = [sampleEndpoint('thing-read', { lambda: { timeoutSeconds: 5_000 } })];
    await expect(synthesize({ endpoints, triggers: [] })).rejects.toThrow(refused);
  });
});
