import { describe, expect, it } from '@jest/globals';
import { oneOfEverything } from './sample-declarations.ts';
import { type Resource, resourcesOf, synthesize } from './synthesize.ts';

const quiet = await synthesize(oneOfEverything);
const loud = await synthesize(oneOfEverything, {
  alarmEmail: 'ops@saffron.example',
  mailFrom: 'orders@saffron.example',
});

const alarmsOf = (synthesis: typeof quiet) =>
  resourcesOf(synthesis, 'AWS::CloudWatch::Alarm').map(([, alarm]) => alarm);

describe('alarms', () => {
  it('watch requests, the table, streams, and whatever works by itself', () => {
    const watched = resourcesOf(loud, 'AWS::CloudWatch::Alarm').map(([id]) =>
      id.replace(/^OperationsAlarms|[0-9A-F]{8}$/g, ''),
    );
    expect(watched.sort()).toEqual([
      'FunctionsRefused',
      'MailBouncing',
      'RequestsFailing',
      'RequestsSlow',
      'TableReadsThrottled',
      'TableWritesThrottled',
      'ThingDownloadFailing',
      'ThingMailDeadLetters',
      'ThingMailFailing',
      'ThingMailGaveUp',
      'ThingMailLate',
      'ThingSweepFailing',
      'ThingSweepGaveUp',
      'ThingTalkFailing',
    ]);
  });

  it('say what users feel and what to do, and stay quiet while nothing happens', () => {
    for (const { Properties } of alarmsOf(loud)) {
      expect(Properties['AlarmDescription']).toMatch(/^[A-Z].{20,}\. .*[A-Z].{20,}\.$/);
      expect(Properties['TreatMissingData']).toBe('notBreaching');
    }
  });

  it('write to the address of the settings, and to nobody without one', () => {
    loud.template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@saffron.example',
    });
    const [[topic]] = resourcesOf(loud, 'AWS::SNS::Topic') as [[string, Resource]];
    for (const { Properties } of alarmsOf(loud)) expect(Properties['AlarmActions']).toEqual([{ Ref: topic }]);
    quiet.template.resourceCountIs('AWS::SNS::Topic', 0);
    for (const { Properties } of alarmsOf(quiet)) expect(Properties).not.toHaveProperty('AlarmActions');
  });

  it('pass the rule packs', () => {
    expect(loud.reports.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows what users feel first, and reads the logs of every function', () => {
    const [[, { Properties }], ...others] = resourcesOf(quiet, 'AWS::CloudWatch::Dashboard') as [[string, Resource]];
    expect(others).toEqual([]);
    const body = JSON.stringify(Properties['DashboardBody']);
    expect(body).toContain('What users feel now');
    for (const [id] of resourcesOf(quiet, 'AWS::Lambda::Function')) expect(body).toContain(id);
    expect(body).toContain('Newest errors');
  });
});
