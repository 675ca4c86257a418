import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { modelArns, sampleChoices } from './choices.ts';
import { sampleDeclarations, sampleEndpoint } from './sample-declarations.ts';
import { isAllowed, roleOf } from './statements.ts';
import {
  declared,
  functionsByName,
  type Resource,
  reportsOf,
  resourcesOf,
  type Synthesis,
  synthesize,
  targetOf,
  variablesOf,
} from './synthesize.ts';

const everything = await synthesize(sampleDeclarations, {
  mail: { from: 'orders@saffron.example' },
  aiModel: 'bedrock/eu.vendor.model-v1:0',
  concurrencyQuota: 1000,
});

describe('a declaration', () => {
  const fnOf = (name: string): Resource => functionsByName(everything).get(name)?.fn as Resource;
  const bedrock = 'arn:AWS::Partition:bedrock:AWS::Region';
  const kmsKey = 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-0000-0000-0000-000000000000';
  const mayInvoke = (synthesis: Synthesis, resource: string, profile?: string) =>
    isAllowed(roleOf(synthesis, functionsByName(synthesis).get('thing-talk')?.fn as Resource), {
      action: 'bedrock:InvokeModelWithResponseStream',
      resource,
      ...(profile !== undefined && { context: { 'bedrock:InferenceProfileArn': profile } }),
    });

  it('a declaration with "streamed" gives a function a streaming URL that everyone may call', () => {
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
    expect(fnOf('thing-talk').Properties).toMatchObject({ Timeout: 300, ReservedConcurrentExecutions: 100 });
  });

  it('a declaration with "model:invoke" allows the model of the settings, and its key by name only', async () => {
    const profile = `${bedrock}:AWS::AccountId:inference-profile/eu.vendor.model-v1:0`;
    const model = 'arn:AWS::Partition:bedrock:eu-west-3::foundation-model/vendor.model-v1:0';
    expect(mayInvoke(everything, profile)).toBe(true);
    expect(mayInvoke(everything, model, profile)).toBe(true);
    expect(mayInvoke(everything, model)).toBe(false);
    expect(mayInvoke(everything, model.replace('vendor', 'other'), profile)).toBe(false);
    const key = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-key-AbCdEf';
    const dialect = { maxTokensField: 'max_completion_tokens', reasoningTokens: 2000 } as const;
    const openAi = await synthesize(sampleDeclarations, {
      aiModel: 'openai/model',
      aiTokensPerDay: 2_000_000,
      models: { 'openai/other': dialect },
      modelServer: { url: 'https://ai.example/v1', keySecretArn: key, kmsKeyArn: kmsKey },
    });
    const talk = functionsByName(openAi).get('thing-talk')?.fn as Resource;
    expect(variablesOf(talk)).toMatchObject({
      AI_MODEL: 'openai/model',
      AI_TOKENS_PER_DAY: '2000000',
      OPENAI_BASE_URL: 'https://ai.example/v1',
      OPENAI_API_KEY_SECRET: key,
      AI_MODELS: JSON.stringify({ 'openai/model': {}, 'openai/other': dialect }),
    });
    const read = { action: 'secretsmanager:GetSecretValue', resource: key };
    expect(isAllowed(roleOf(openAi, talk), read)).toBe(true);
    expect(isAllowed(roleOf(openAi, talk), { action: 'kms:Decrypt', resource: kmsKey })).toBe(true);
    expect(JSON.stringify(roleOf(openAi, talk))).not.toContain('bedrock');
    expect(openAi.template.toJSON()['Outputs']['AgentModels'].Value).toBe(variablesOf(talk)['AI_MODELS']);
  });

  it('a declaration with "model:invoke" allows every model of Bedrock that the settings name, of any kind', async () => {
    const { application, guardrail, provisioned } = modelArns;
    const synthesis = await synthesize(sampleDeclarations, sampleChoices.models);
    expect(mayInvoke(synthesis, `${bedrock}::foundation-model/vendor.small-v1:0`)).toBe(true);
    expect(mayInvoke(synthesis, `${bedrock}:AWS::AccountId:inference-profile/us.vendor.large-v1:0`)).toBe(true);
    expect(mayInvoke(synthesis, provisioned)).toBe(true);
    expect(mayInvoke(synthesis, application)).toBe(true);
    const talk = functionsByName(synthesis).get('thing-talk')?.fn as Resource;
    expect(isAllowed(roleOf(synthesis, talk), { action: 'bedrock:ApplyGuardrail', resource: guardrail })).toBe(true);
    expect(variablesOf(talk)).toMatchObject({
      BEDROCK_GUARDRAIL_ID: guardrail,
      BEDROCK_GUARDRAIL_VERSION: '3',
    });
    const anyModel = 'arn:AWS::Partition:bedrock:eu-north-1::foundation-model/any.model-v9';
    expect(mayInvoke(synthesis, anyModel, application)).toBe(true);
    expect(mayInvoke(synthesis, anyModel)).toBe(false);
  });

  it('a declaration with "mail:send" allows mail from the address of the settings', () => {
    const send = (name: string) => ({
      action: 'ses:SendEmail',
      resource: `arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/${name}`,
      context: { 'ses:FromAddress': 'orders@saffron.example' },
    });
    for (const name of ['orders@saffron.example', 'saffron.example']) {
      expect(isAllowed(roleOf(everything, fnOf('thing-mail')), send(name))).toBe(true);
    }
    expect(variablesOf(fnOf('thing-mail'))).toEqual({
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=384',
      METRIC_NAMESPACE: 'WorkspaceApi',
      ROUTE_METRICS: 'off',
      TABLE_NAME: { Ref: 'WorkspaceTable' },
      MAIL_FROM: 'orders@saffron.example',
    });
  });

  it('a declaration with "newItems" passes new items with the prefix on, within bounds', () => {
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
    });
    // Lambda makes these calls for the function (AWSLambdaDynamoDBExecutionRole).
    const calls = [
      ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((name) => [
        `dynamodb:${name}`,
        'WorkspaceTable.StreamArn',
      ]),
      ['dynamodb:ListStreams', '*'],
    ] as const;
    for (const [action, resource] of calls) {
      const name = `${action} on ${resource}`;
      expect([name, isAllowed(roleOf(everything, fnOf('thing-mail')), { action, resource: resource ?? '' })]).toEqual([
        name,
        true,
      ]);
    }
  });

  it('a declaration with "everyMinutes" runs on a schedule', () => {
    const rules = resourcesOf(everything, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
    expect(rules.map(({ ScheduleExpression, State }) => [ScheduleExpression, State]).sort()).toEqual([
      ['rate(1 minute)', 'ENABLED'],
      ['rate(5 minutes)', 'ENABLED'],
      ['rate(5 minutes)', 'ENABLED'],
    ]);
  });

  it('a declaration with "everyMinutes" is not retried after a failure, neither by EventBridge nor by Lambda', () => {
    const rules = resourcesOf(everything, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);
    for (const { Targets } of rules) expect(Targets).toMatchObject([{ RetryPolicy: { MaximumRetryAttempts: 0 } }]);
    const invocations = resourcesOf(everything, 'AWS::Lambda::EventInvokeConfig').map(
      ([, { Properties }]) => Properties,
    );
    expect(
      invocations
        .map((config) => [
          targetOf(config['FunctionName']),
          config['MaximumRetryAttempts'],
          config['MaximumEventAgeInSeconds'],
        ])
        .sort(),
    ).toEqual([
      [expect.stringMatching(/^OperationsCanary/), 0, 300],
      [functionsByName(everything).get('thing-mail')?.id, 0, 60],
      [functionsByName(everything).get('thing-sweep')?.id, 0, 300],
    ]);
  });

  it('a declaration with "files:write" gives a function of the gateway the base address of its links', () => {
    const [[distribution]] = resourcesOf(everything, 'AWS::CloudFront::Distribution') as [[string, Resource]];
    expect(variablesOf(fnOf('thing-upload'))['ASSET_BASE_URL']).toEqual({
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]],
    });
  });

  it("a declaration with invalid settings of Lambda is refused by CDK's validation", async () => {
    const refused = /Timeout: 5000 exceeds maximum 900 .*\(CloudFormation Validate\)/;
    const endpoints = [sampleEndpoint('thing-read', { lambda: { timeoutSeconds: 5_000 } })];
    await expect(reportsOf({ endpoints, triggers: [] }, {})).rejects.toThrow(refused);
  });
});

it('A function whose work begins before its caller is known can change only the table and large states, which hold writes', () => {
  const handlerOf = (name: string) =>
    readFileSync(new URL(`../../functions/${name}/handler.ts`, import.meta.url), 'utf8');
  const early = declared.endpoints.filter(({ name }) => handlerOf(name).includes('beginsEarly'));
  const isHeld = (use: string) => use.startsWith('table:') || use === 'files:read' || use.startsWith('files:history-');
  expect(early.length).toBeGreaterThan(10);
  expect(
    early.flatMap(({ name, endpoint }) => endpoint.uses.filter((use) => !isHeld(use)).map((use) => [name, use])),
  ).toEqual([]);
});
