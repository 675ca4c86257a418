import { Aws } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { bedrockArn, type Settings } from './settings.ts';
import { allow } from './statements.ts';

/** The geographies of Bedrock's cross-region inference profiles: `eu.vendor.model` runs `vendor.model` in any of them. */
const geography = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|me|af|in|global)\./;

const profileArn = new RegExp(`^${bedrockArn('(?:application-)?inference-profile')}$`);

/**
 * Allows the calls of every Bedrock model of the settings. A call of an inference profile needs rights on the profile
 * and, in each of its regions, on the model.
 */
export function modelAccess(settings: Pick<Settings, 'aiModel' | 'models' | 'guardrail'>): PolicyStatement[] {
  const { aiModel, models, guardrail } = settings;
  const named = [...new Set([aiModel, ...Object.keys(models)])].filter((name) => name.startsWith('bedrock/'));
  return [
    ...named.flatMap((name) => accessTo(name.slice('bedrock/'.length))),
    ...allow(['bedrock:ApplyGuardrail'], [guardrail?.arn ?? []].flat()),
  ];
}

function accessTo(model: string): PolicyStatement[] {
  if (profileArn.test(model)) return throughProfile(model, `arn:${Aws.PARTITION}:bedrock:*::foundation-model/*`);
  if (model.startsWith('arn:')) return invoke(model);
  if (!geography.test(model)) return invoke(foundationModel(Aws.REGION, model));
  const profile = `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`;
  return throughProfile(profile, foundationModel('*', model.replace(geography, '')));
}

const foundationModel = (region: string, id: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${id}`;

/** @param models an ARN with an asterisk; they can be called through the profile only */
const throughProfile = (profile: string, models: string): PolicyStatement[] => [
  ...invoke(profile),
  ...invoke(models, { StringEquals: { 'bedrock:InferenceProfileArn': profile } }),
];

const invoke = (resource: string, conditions?: Parameters<typeof allow>[2]): PolicyStatement[] =>
  allow(['bedrock:InvokeModelWithResponseStream'], [resource], conditions);
