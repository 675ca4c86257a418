import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { readSettings } from '#lib/infra/settings.ts';

const standard = {
  stage: 'prod',
  removalPolicy: RemovalPolicy.RETAIN,
  logRetentionDays: 30,
  throttleRate: 500,
  throttleBurst: 1000,
};

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings({ '@aws-cdk/core:checkSecretUsage': true })).toEqual(standard);
  });

  it.each([
    [{ stage: 'trial-2' }, { stage: 'trial-2' }],
    [{ removalPolicy: 'destroy' }, { removalPolicy: RemovalPolicy.DESTROY }],
    [{ removalPolicy: 'retain' }, { removalPolicy: RemovalPolicy.RETAIN }],
    [{ logRetentionDays: '365' }, { logRetentionDays: 365 }],
    [{ logRetentionDays: 7 }, { logRetentionDays: 7 }],
    [
      { throttleRate: '5', throttleBurst: 10 },
      { throttleRate: 5, throttleBurst: 10 },
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
  ])('refuses %s=%j, naming what it must be', (name, value) => {
    const fault = expect.stringMatching(
      new RegExp(`^The setting ${name} is ${JSON.stringify(value)}; it must be .+\\.$`),
    );
    expect(readSettings({ [name]: value })).toEqual({ faults: [fault] });
  });

  it('refuses names it does not know, and lists all faults at once', () => {
    expect(readSettings({ stgae: 'trial', throttleRate: 'no' })).toEqual({
      faults: [
        'There is no setting stgae; there are stage, removalPolicy, logRetentionDays, throttleRate, throttleBurst.',
        'The setting throttleRate is "no"; it must be a whole number above 0.',
      ],
    });
  });
});
