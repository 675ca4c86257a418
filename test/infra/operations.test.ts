import { describe, expect, it } from '@jest/globals';
import { matchesFilter, matchesQuery } from '#test/support/log-lines.ts';
import { everySetting } from './every-setting.ts';
import { crashLine, errorLine, ownErrorLine, requestLine, timeoutLine, warningLine } from './log-samples.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { isAllowed, statementsIn, textOf } from './statements.ts';
import { functionsByName, type Resource, resourcesOf, type Synthesis, synthesize, targetOf } from './synthesize.ts';

const quiet = await synthesize(sampleDeclarations);
const loud = await synthesize(sampleDeclarations, {
  stage: 'trial',
  alarmEmail: 'ops@saffron.example',
  mail: { from: 'orders@saffron.example' },
  concurrencyQuota: 2000,
});
const web = await synthesize(sampleDeclarations, { uploads: 'web', domain: everySetting.domain });

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

describe('An alarm', () => {
  it('watches requests, capacity, the table, replies, mail, and every background function', () => {
    expect([...alarmsOf(loud).keys()].sort()).toEqual([
      'FunctionsRefused',
      'MailBouncing',
      'MailUnwanted',
      'QuotaNearlyUsed',
      'RequestsFailing',
      'RequestsSlow',
      'TableReadsThrottled',
      'TableWritesThrottled',
      'ThingDownloadFailing',
      'ThingMailDeadLetters',
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

  it('may publish only to its topic, over TLS and from this account', () => {
    const [[topic]] = resourcesOf(loud, 'AWS::SNS::Topic') as [[string, Resource]];
    for (const alarm of alarmsOf(loud).values()) expect(alarm['AlarmActions']).toEqual([{ Ref: topic }]);
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

  it.each(['ThingMailNotRunning', 'ThingSweepNotRunning'])(
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
      const fn = functionsByName(loud).get(name === 'ThingMailNotRunning' ? 'thing-mail' : 'thing-sweep');
      expect(dimensionsOf(alarm)).toEqual({ FunctionName: fn?.id });
    },
  );

  it('names one metric, because the emulator of the deployment test has no metric math', () => {
    for (const [name, alarm] of alarmsOf(loud)) expect([name, typeof alarm['MetricName']]).toEqual([name, 'string']);
  });

  it('an alarm that is not for a missing run stays quiet while nothing happens', () => {
    for (const [name, alarm] of alarmsOf(loud)) {
      if (!name.endsWith('NotRunning')) expect([name, alarm['TreatMissingData']]).toEqual([name, 'notBreaching']);
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
    expect(alarm).toMatchObject({ Namespace: 'WorkspaceApi-trial', MetricName: 'AiReplyFailures', Statistic: 'Sum' });
    expect(dimensionsOf(alarm)).toEqual({ Route: '/talk' });
    const { fn } = functionsByName(loud).get('thing-talk') as { fn: Resource };
    expect(fn.Properties['Environment']).toMatchObject({ Variables: { METRIC_NAMESPACE: 'WorkspaceApi-trial' } });
  });
});

describe('The filter behind an alarm', () => {
  const filterOf = (synthesis: Synthesis, alarmName: string) => {
    const { MetricName, Namespace } = alarmOf(synthesis, alarmName);
    const filters = resourcesOf(synthesis, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const [filter, ...others] = filters.filter(({ MetricTransformations }) =>
      (MetricTransformations as object[]).some(
        (transformation) =>
          JSON.stringify(transformation) ===
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

  it('the filter for uploads through a web function also counts crashes and timeouts', () => {
    const filter = filterOf(web, 'ThingUploadFailing');
    const pattern = String(filter['FilterPattern']);
    for (const line of [ownErrorLine, errorLine, crashLine, timeoutLine])
      expect(matchesFilter(pattern, line)).toBe(true);
    for (const line of [warningLine, requestLine]) expect(matchesFilter(pattern, line)).toBe(false);
    const revisions = resourcesOf(web, 'AWS::Lambda::WebFunctionRevision').map(([, { Properties }]) => Properties);
    expect(JSON.stringify(revisions)).toContain(targetOf(filter['LogGroupName']));
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
    for (const id of logs.filter((log) => /^Thing/.test(log))) expect(body).toContain(id);
    expect(body).toContain('ThingUploadLog');
  });

  it('finds only error lines, crashes and timeouts', () => {
    const [query = ''] = /filter level in [^|]*?(?=\\)/.exec(bodyOf(quiet).replaceAll('\\\\\\"', '"')) ?? [];
    for (const line of [ownErrorLine, errorLine, crashLine, timeoutLine]) expect(matchesQuery(query, line)).toBe(true);
    for (const line of [warningLine, requestLine]) expect(matchesQuery(query, line)).toBe(false);
  });

  it('shows the metrics of this stage by route, and those of CloudFront from us-east-1', () => {
    const body = bodyOf(loud);
    for (const name of ['Latency', 'Status5xx', 'AiReplyFailures', 'ReadUnits', 'WriteUnits', 'AiTokens', 'Mails']) {
      expect(body.replaceAll('\\', '')).toContain(`{"WorkspaceApi-trial",Route} MetricName="${name}"`);
    }
    expect(body).toContain('us-east-1');
  });
});

it('A stack with alarms passes the rule packs', () => {
  expect([loud, web].flatMap(({ reports }) => reports).flatMap(({ violations }) => violations)).toEqual([]);
});
