import { expect } from '@jest/globals';
import type { PluginReport } from './synthesize.ts';

/** The rules whose findings lib/infra/acknowledgements.ts acknowledges, with reasons. */
const known = [
  'pf-cognito-schema-standard-attr-datatype',
  'AwsSolutions-APIG4',
  'AwsSolutions-CFR1',
  'AwsSolutions-CFR2',
  'AwsSolutions-CFR3',
  'AwsSolutions-CFR4',
  'AwsSolutions-COG2',
  'AwsSolutions-COG8',
  'AwsSolutions-IAM4',
  'AwsSolutions-IAM5',
  'AwsSolutions-S1',
  'AwsSolutions-SMG4',
  'Serverless-EventBusDLQ',
  'Serverless-LambdaAsyncFailureDestination',
  'Serverless-LambdaDLQ',
  'Serverless-LambdaDefaultMemorySize',
  'Serverless-LambdaEventSourceMappingDestination',
  'Serverless-LambdaStarPermissions',
  'Serverless-LambdaTracing',
  'Serverless-SNSRedrivePolicy',
];

/** Expects reports without violations, and only known acknowledged findings, each with a reason. */
export function expectClean(reports: readonly PluginReport[]): void {
  expect(reports).not.toEqual([]);
  expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  const acknowledged = reports.flatMap(({ suppressedViolations = [] }) => suppressedViolations);
  const rules = new Set(acknowledged.map(({ ruleName }) => ruleName.replace(/\[.*/, '')));
  expect([...rules].filter((rule) => !known.includes(rule))).toEqual([]);
  for (const { reason } of acknowledged) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
}
