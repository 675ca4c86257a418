import { describe, expect, it } from '@jest/globals';
import { matchesFilter, matchesQuery } from '#test/support/log-lines.ts';
import { sampleChoices } from './choices.ts';
import { crashLine, errorLine, ownErrorLine, requestLine, timeoutLine, warningLine } from './log-samples.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { isAllowed, roleOf, statementsIn, textOf } from './statements.ts';
import {
  functionsByName,
  type Resource,
  resourcesOf,
  type Synthesis,
  synthesize,
  targetOf,
  variablesOf,
} from './synthesize.ts';

const quiet = await synthesize(sampleDeclarations);
const loud = await synthesize(sampleDeclarations, sampleChoices.loud);
const web = await synthesize(sampleDeclarations, sampleChoices.web);

const alarmsOf = (synthesis: Synthesis) =>
  new Map(
    resourcesOf(synthesis, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
      id.replace(/^OperationsAlarms|[0-9A-F]{8}$/g, ''),
      Properties,
    ]),
  );
const alarmOf = (synthesis: Synthesis, name: string) => alarmsOf(synthesis).get(name) as Resource['Properties'];
const dimensionsOf = (alarm: Resource['Properties']) =>
  Object.fromEntries(
    ((alarm['Dimensions'] ?? []) as { Name: string; Value: unknown }[]).map(({ Name, Value }) => [Name, textOf(Value)]),
  );

interface MathMetric {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Resource['Properties'] };
}

/** The metrics of an alarm for a share, by their names in its expression. */
const metricsOf = (alarm: Resource['Properties']) =>
  new Map(
    (alarm['Metrics'] as MathMetric[]).flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id, MetricStat.Metric] as const] : [],
    ),
  );

/** Evaluates the expression of an alarm: `IF(condition, value, otherwise)` of numbers, with FILL of a metric. */
function expressionOf(alarm: Resource['Properties']): (values: Readonly<Record<string, number>>) => number {
  const { Expression = '' } = (alarm['Metrics'] as MathMetric[]).find(({ Expression: text }) => text) ?? {};
  const [, condition = '', value = '', otherwise = ''] = /^IF\((.+?), (.+), (\w+)\)$/.exec(
    Expression.replaceAll(/FILL\((\w+), 0\)/g, '$1'),
  ) as string[];
  const names = [...metricsOf(alarm).keys()];
  const compute = new Function(...names, `return ${condition} ? ${value} : ${otherwise};`);
  return (values) => compute(...names.map((name) => values[name]));
}

describe('An alarm', () => {
  it('watches requests, capacity, the table, replies, mail, and every background function', () => {
    expect([...alarmsOf(loud).keys()].sort()).toEqual([
      'AddressSilent',
      'BackupCopiesFailing',
      'BackupsFailing',
      'BackupsMissing',
      'CanaryNotRunning',
      'FunctionsRefused',
      'MailBouncing',
      'MailUnwanted',
      'QuotaNearlyUsed',
      'RequestsFailing',
      'RequestsRefused',
      'RequestsSlow',
      'TableReadsThrottled',
      'TableWritesThrottled',
      'ThingDownloadFailing',
      'ThingMailFailing',
      'ThingMailGaveUp',
      'ThingMailLate',
      'ThingMailNotRunning',
      'ThingSweepFailing',
      'ThingSweepGaveUp',
      'ThingSweepNotRunning',
      'ThingTalkFailing',
      'ThingTalkRepliesFailing',
    ]);
  });

  it('describes the effect on users and the action to take', () => {
    for (const { AlarmDescription } of alarmsOf(loud).values()) {
      expect(AlarmDescription).toMatch(/^[A-Z].{20,}\. .*[A-Z].{20,}\.$/);
    }
  });

  it.each(['ThingMailFailing', 'ThingMailGaveUp', 'ThingMailNotRunning', 'ThingMailLate', 'ThingSweepNotRunning'])(
    '%s says what the work of its function is, in the words of the declaration',
    (name) => expect(alarmOf(loud, name)['AlarmDescription']).toContain(': Work on things. '),
  );

  it('may publish only to its topic, over TLS and from this account', () => {
    const [[topic]] = resourcesOf(loud, 'AWS::SNS::Topic') as [[string, Resource]];
    for (const alarm of alarmsOf(loud).values())
      expect(alarm).toMatchObject({
        AlarmActions: [{ Ref: topic }],
        OKActions: [{ Ref: topic }],
      });
    const [[, { Properties }]] = resourcesOf(loud, 'AWS::SNS::TopicPolicy') as [[string, Resource]];
    const policy = statementsIn(Properties['PolicyDocument']);
    const may = (account: string, secure: string) =>
      isAllowed(policy, {
        action: 'sns:Publish',
        resource: topic,
        principal: 'cloudwatch.amazonaws.com',
        context: { 'aws:SourceAccount': account, 'aws:SecureTransport': secure },
      });
    expect([may('AWS::AccountId', 'true'), may('AWS::AccountId', 'false'), may('111122223333', 'true')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('mails the address of the settings, and sends no mail without one', () => {
    loud.template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@saffron.example',
    });
    quiet.template.resourceCountIs('AWS::SNS::Topic', 0);
    for (const alarm of alarmsOf(quiet).values()) expect(alarm).not.toHaveProperty('AlarmActions');
  });

  it.each([
    ['BackupsFailing', 'NumberOfBackupJobsFailed', 'GreaterThanOrEqualToThreshold', 3600],
    ['BackupCopiesFailing', 'NumberOfCopyJobsFailed', 'GreaterThanOrEqualToThreshold', 3600],
    ['BackupsMissing', 'NumberOfBackupJobsCompleted', 'LessThanThreshold', 86_400],
  ])('%s watches %s of the vault, if there is one', (name, MetricName, ComparisonOperator, Period) => {
    const vault = resourcesOf(loud, 'AWS::Backup::BackupVault').map(([id]) => `${id}.BackupVaultName`);
    const alarm = alarmOf(loud, name);
    expect(alarm).toMatchObject({ Namespace: 'AWS/Backup', MetricName, Statistic: 'Sum', ComparisonOperator, Period });
    expect(Object.values(dimensionsOf(alarm))).toEqual(vault);
    expect(alarmOf(quiet, name)).toBeUndefined();
  });

  it('BackupsMissing asks for a copy of the table and one of the bucket in one of two nights', () => {
    expect(alarmOf(loud, 'BackupsMissing')).toMatchObject({
      Threshold: 2,
      EvaluationPeriods: 2,
      TreatMissingData: 'breaching',
    });
  });

  it.each(['CanaryNotRunning', 'ThingMailNotRunning', 'ThingSweepNotRunning'])(
    '%s goes off when nothing runs, or nothing is reported',
    (name) => {
      const alarm = alarmOf(loud, name);
      expect(alarm).toMatchObject({
        MetricName: 'Invocations',
        Statistic: 'Sum',
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        EvaluationPeriods: 3,
        TreatMissingData: 'breaching',
      });
      const prefix = name === 'CanaryNotRunning' ? 'OperationsCanary' : name.replace('NotRunning', 'Code');
      const ids = resourcesOf(loud, 'AWS::Lambda::Function').map(([id]) => id);
      expect(dimensionsOf(alarm)).toEqual({ FunctionName: ids.find((id) => id.startsWith(prefix)) });
    },
  );

  it.each(['RequestsFailing', 'FunctionsRefused', 'ThingTalkFailing', 'ThingTalkRepliesFailing', 'ThingMailFailing'])(
    '%s is true of a small service and of a large one: it needs several failures, and a share of all',
    (name) => {
      const expression = expressionOf(alarmOf(loud, name));
      const { Threshold } = alarmOf(loud, name);
      const isOn = (failures: number, all: number) => expression({ failures, all }) >= Number(Threshold);
      expect([isOn(1, 1), isOn(2, 5)]).toEqual([false, false]);
      expect([isOn(5, 10), isOn(3, 3)]).toEqual([true, true]);
      expect([isOn(50, 100_000), isOn(20_000, 100_000)]).toEqual([false, true]);
    },
  );

  it('RequestsSlow says nothing of a few requests', () => {
    const expression = expressionOf(alarmOf(loud, 'RequestsSlow'));
    expect([expression({ value: 9_000, all: 20 }), expression({ value: 9_000, all: 2_000 })]).toEqual([0, 9_000]);
  });

  it('AddressSilent counts the failures of a function that asks at the public address', () => {
    const [[id, canary]] = resourcesOf(loud, 'AWS::Lambda::Function').filter(([name]) =>
      name.startsWith('OperationsCanary'),
    ) as [[string, Resource]];
    const alarm = alarmOf(loud, 'AddressSilent');
    expect(alarm).toMatchObject({ MetricName: 'Errors', Threshold: 1, EvaluationPeriods: 2 });
    expect(dimensionsOf(alarm)).toEqual({ FunctionName: id });
    expect(JSON.stringify(variablesOf(canary)['ADDRESS'])).toContain('EdgeDistribution');
    expect(roleOf(loud, canary).flatMap(({ actions }) => actions)).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ]);
  });

  it('an alarm that is not for a missing run stays quiet while nothing happens', () => {
    for (const [name, alarm] of alarmsOf(loud)) {
      if (!/NotRunning|Missing/.test(name)) expect([name, alarm['TreatMissingData']]).toEqual([name, 'notBreaching']);
    }
  });

  it('compares concurrent executions with the quota of the account, if it is known', () => {
    expect(alarmOf(loud, 'QuotaNearlyUsed')).toMatchObject({
      MetricName: 'ClaimedAccountConcurrency',
      Threshold: 1600,
    });
    expect(alarmOf(quiet, 'QuotaNearlyUsed')).toBeUndefined();
  });

  it('an alarm for replies counts the metric of the route of AI replies', () => {
    const alarm = alarmOf(loud, 'ThingTalkRepliesFailing');
    const counted = metricsOf(alarm).get('failures') as Resource['Properties'];
    expect(counted).toMatchObject({ Namespace: 'WorkspaceApi-trial', MetricName: 'AiReplyFailures' });
    expect(dimensionsOf(counted)).toEqual({ route: '/talk' });
    const { fn } = functionsByName(loud).get('thing-talk') as { fn: Resource };
    expect(fn.Properties['Environment']).toMatchObject({ Variables: { METRIC_NAMESPACE: 'WorkspaceApi-trial' } });
  });
});

describe('The filter behind an alarm', () => {
  const filterOf = (synthesis: Synthesis, alarmName: string) => {
    const alarm = alarmOf(synthesis, alarmName);
    const { MetricName, Namespace } = alarm['Metrics'] ? (metricsOf(alarm).get('failures') ?? {}) : alarm;
    const filters = resourcesOf(synthesis, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const [filter, ...others] = filters.filter(({ MetricTransformations }) =>
      (MetricTransformations as object[]).some(
        (transformation) =>
          (({ Dimensions, ...counted }) => JSON.stringify(counted))(transformation as Record<string, unknown>) ===
          JSON.stringify({ MetricName, MetricNamespace: Namespace, MetricValue: '1' }),
      ),
    );
    expect(others).toEqual([]);
    return filter as Resource['Properties'];
  };

  it.each(['ThingMailGaveUp', 'ThingSweepGaveUp'])(
    '%s counts the error lines that a function writes, and no warnings',
    (name) => {
      const pattern = String(filterOf(loud, name)['FilterPattern']);
      expect(matchesFilter(pattern, ownErrorLine)).toBe(true);
      expect(matchesFilter(pattern, warningLine)).toBe(false);
    },
  );

  it.each([
    ['ThingMailGaveUp', 'thing-mail'],
    ['ThingSweepGaveUp', 'thing-sweep'],
  ])('%s counts the lines of its own function in the log that background functions share', (name, own) => {
    expect(filterOf(loud, name)).toMatchObject({
      LogGroupName: { Ref: expect.stringMatching(/^LogsWork/) },
      MetricTransformations: [{ Dimensions: [{ Key: 'function', Value: '$.function' }] }],
    });
    const counted = metricsOf(alarmOf(loud, name)).get('failures') as Resource['Properties'];
    expect(dimensionsOf(counted)).toEqual({ function: functionsByName(loud).get(own)?.id });
  });

  it('the filter for uploads through a web function also counts crashes and timeouts', () => {
    const filter = filterOf(web, 'ThingUploadFailing');
    const pattern = String(filter['FilterPattern']);
    for (const line of [ownErrorLine, errorLine, crashLine, timeoutLine])
      expect(matchesFilter(pattern, line)).toBe(true);
    for (const line of [warningLine, requestLine]) expect(matchesFilter(pattern, line)).toBe(false);
    const revisions = resourcesOf(web, 'AWS::Lambda::WebFunctionRevision').map(([, { Properties }]) => Properties);
    expect(JSON.stringify(revisions)).toContain(targetOf(filter['LogGroupName']));
  });

  it('uploads through a web function fail by their share of all request lines', () => {
    const alarm = alarmOf(web, 'ThingUploadFailing');
    const expression = expressionOf(alarm);
    const isOn = (failures: number, all: number) => expression({ failures, all }) >= Number(alarm['Threshold']);
    expect([isOn(2, 2), isOn(3, 3), isOn(8, 9_000), isOn(800, 9_000)]).toEqual([false, true, false, true]);
    const { MetricName } = metricsOf(alarm).get('all') as Resource['Properties'];
    const [filter] = resourcesOf(web, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
      JSON.stringify(Properties).includes(`"${MetricName}"`) ? [Properties] : [],
    );
    expect(filter).toMatchObject({ FilterPattern: '{ $.status > 0 }' });
    expect(targetOf(filter?.['LogGroupName'])).toBe(targetOf(filterOf(web, 'ThingUploadFailing')['LogGroupName']));
  });
});

describe('The dashboard', () => {
  const bodyOf = (synthesis: Synthesis): string => {
    const [[, { Properties }], ...others] = resourcesOf(synthesis, 'AWS::CloudWatch::Dashboard') as [
      [string, Resource],
    ];
    expect(others).toEqual([]);
    return JSON.stringify(Properties['DashboardBody']);
  };

  it('shows what users notice first, and reads the logs of every function', () => {
    const body = bodyOf(web);
    expect(body.indexOf('What users notice now')).toBeLessThan(body.indexOf('Requests and refusals'));
    const logs = resourcesOf(web, 'AWS::Logs::LogGroup').map(([id]) => id);
    // The other logs are those of the gateway and of CDK's own code.
    const ofFunctions = logs.filter((id) => /^(?:Logs|Thing)/.test(id));
    expect(ofFunctions).toContainEqual(expect.stringMatching(/^ThingUploadLog/));
    for (const id of ofFunctions) expect(body).toContain(id);
  });

  it('finds only error lines, crashes and timeouts', () => {
    const [query = ''] = /filter level in [^|]*?(?=\\)/.exec(bodyOf(quiet).replaceAll('\\\\\\"', '"')) ?? [];
    for (const line of [ownErrorLine, errorLine, crashLine, timeoutLine]) expect(matchesQuery(query, line)).toBe(true);
    for (const line of [warningLine, requestLine]) expect(matchesQuery(query, line)).toBe(false);
  });

  it('shows the metrics of this stage by route, if its lines make them, and those of CloudFront from us-east-1', () => {
    for (const name of ['AiTokens', 'Mails', 'Webhooks']) {
      expect(bodyOf(quiet).replaceAll('\\', '')).toContain(`{"WorkspaceApi",route} MetricName="${name}"`);
    }
    expect(bodyOf(quiet)).not.toContain('Status5xx');
    const body = bodyOf(loud);
    for (const name of ['Latency', 'Status5xx', 'AiReplyFailures', 'ReadUnits', 'WriteUnits', 'AiTokens', 'Mails']) {
      expect(body.replaceAll('\\', '')).toContain(`{"WorkspaceApi-trial",route} MetricName="${name}"`);
    }
    expect(body).toContain('us-east-1');
  });
});
