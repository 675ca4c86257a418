import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Settings } from './settings.ts';

const arnOf = (kind: string): string => `arn:aws[a-z-]*:bedrock:[a-z0-9-]+:(?:\\d{12})?:${kind}/[\\w.:-]{1,200}`;
const kinds = '(?:foundation-model|inference-profile|application-inference-profile|provisioned-model)';

/** The id or ARN of a model or an inference profile, or the ARN of provisioned throughput. */
export const bedrockModelPattern = new RegExp(`^(?:[\\w-]+\\.[\\w.:-]{1,200}|${arnOf(kinds)})$`);

/** The geographies of Bedrock's cross-region inference profiles: `eu.vendor.model` runs `vendor.model` in any of them. */
const geography = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|me|af|in|global)\./;

const profileArn = new RegExp(`^${arnOf('(?:application-)?inference-profile')}$`);

/**
 * Allows the calls of every Bedrock model of the settings. A call of an inference profile needs rights on the profile
 * and, in each of its regions, on the model.
 */
export function modelAccess(
  settings: Pick<Settings, 'aiModel' | 'bedrockModels' | 'bedrockGuardrailArn'>,
): PolicyStatement[] {
  const { aiModel, bedrockModels, bedrockGuardrailArn } = settings;
  const standard = aiModel.startsWith('bedrock/') ? [aiModel.slice('bedrock/'.length)] : [];
  const guardrail =
    bedrockGuardrailArn === undefined
      ? []
      : [new PolicyStatement({ actions: ['bedrock:ApplyGuardrail'], resources: [bedrockGuardrailArn] })];
  return [...[...new Set([...standard, ...bedrockModels])].flatMap(accessTo), ...guardrail];
}

function accessTo(model: string): PolicyStatement[] {
  if (profileArn.test(model)) return throughProfile(model, `arn:${Aws.PARTITION}:bedrock:*::foundation-model/*`);
  if (model.startsWith('arn:')) return [invoke([model])];
  if (!geography.test(model)) return [invoke([foundationModel(Aws.REGION, model)])];
  const profile = `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`;
  return throughProfile(profile, foundationModel('*', model.replace(geography, '')));
}

const foundationModel = (region: string, id: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${id}`;

/** @param models an ARN with an asterisk; they can be called through the profile only */
const throughProfile = (profile: string, models: string): PolicyStatement[] => [
  invoke([profile]),
  new PolicyStatement({
    actions: ['bedrock:InvokeModelWithResponseStream'],
    resources: [models],
    conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
  }),
];

const invoke = (resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions: ['bedrock:InvokeModelWithResponseStream'], resources });
